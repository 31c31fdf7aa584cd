// Folds a session's whole log, for what was left open in it. Others have their turn after each page.
import { setImmediate } from 'node:timers/promises'
import { applyEvent, emptyTranscript, type SessionEvent, type Transcript } from '@quayside/protocol'
import type { EventLog } from './event-log.js'
import { decodeEvent } from './event-rows.js'

/** `look` sees every event on the way. */
export async function foldLog(
  eventLog: EventLog,
  sessionId: string,
  look: (event: SessionEvent) => void = () => {},
): Promise<Transcript> {
  const transcript = emptyTranscript()
  for (let page = eventLog.read(sessionId, 0); page.length > 0;) {
    for (const encoded of page) {
      const event = decodeEvent(encoded)
      applyEvent(transcript, event)
      look(event)
    }
    await setImmediate()
    page = eventLog.read(sessionId, transcript.seq)
  }
  return transcript
}
