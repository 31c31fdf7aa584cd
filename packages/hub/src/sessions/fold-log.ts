// Folds a session's whole log, for the few moments that need all of it: recovery and resuming.
import { applyEvent, emptyTranscript, type SessionEvent, type Transcript } from '@quayside/protocol'
import type { EventLog } from './event-log.js'

export function foldLog(eventLog: EventLog, sessionId: string): Transcript {
  const transcript = emptyTranscript()
  for (let page = eventLog.read(sessionId, 0); page.length > 0;) {
    for (const { json } of page) applyEvent(transcript, JSON.parse(json) as SessionEvent)
    page = eventLog.read(sessionId, transcript.seq)
  }
  return transcript
}
