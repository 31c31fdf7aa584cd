// Folds a session's whole log, to find the items that were left open. Yields to other work after each page.
import { setImmediate } from 'node:timers/promises'
import { applyEvent, emptyTranscript, type SessionEvent, type Transcript } from '@quayside/protocol'
import type { EventLog } from './event-log.js'
import { decodeEvent } from './encoded-events.js'

/** Calls `look` with every event. */
export async function foldLog(
  eventLog: EventLog,
  sessionId: string,
  look: (event: SessionEvent) => void = () => {},
): Promise<Transcript> {
  const transcript = emptyTranscript()
  for (let page = await eventLog.read(sessionId, 0); page.length > 0;) {
    for (const encoded of page) {
      const event = decodeEvent(encoded)
      applyEvent(transcript, event)
      look(event)
    }
    await setImmediate()
    page = await eventLog.read(sessionId, transcript.seq)
  }
  return transcript
}
