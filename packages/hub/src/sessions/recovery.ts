// After a crash of the hub: sessions that say active have no agent any more. Appends the ends that are missing.
import {
  applyEvent,
  emptyTranscript,
  type EventBody,
  type SessionEvent,
  type Transcript,
} from '@quayside/protocol'
import type { Log } from '../log.js'
import type { Database } from '../store/database.js'
import type { EventLog } from './event-log.js'

/** Runs before the hub serves; idempotent, because what it appends is what it looks for. */
export async function recoverSessions(db: Database, eventLog: EventLog, log: Log): Promise<void> {
  const rows = db.prepare("SELECT id FROM AgentSession WHERE status = 'active'").all() as {
    id: string
  }[]
  for (const { id } of rows) {
    const transcript = foldLog(eventLog, id)
    await Promise.all(missingEnds(transcript).map((body) => eventLog.append(id, body)))
    log.warn({ sessionId: id }, 'the hub ended without closing this session; it is now in error')
  }
}

function foldLog(eventLog: EventLog, sessionId: string): Transcript {
  const transcript = emptyTranscript()
  for (let page = eventLog.read(sessionId, 0); page.length > 0;) {
    for (const { json } of page) applyEvent(transcript, JSON.parse(json) as SessionEvent)
    page = eventLog.read(sessionId, transcript.seq)
  }
  return transcript
}

function missingEnds(transcript: Transcript): EventBody[] {
  const message = 'The hub stopped before the agent had finished.'
  const error = { code: 'hub_crash', message }
  const permissions = transcript.items.flatMap((item): EventBody[] =>
    item.type === 'permission' && item.outcome === null
      ? [
          {
            type: 'permission.resolved',
            data: {
              permissionId: item.permissionId,
              outcome: { outcome: 'cancelled' },
              reason: 'hub_crash',
            },
          },
        ]
      : [],
  )
  const turns = [...(transcript.turn ? [transcript.turn] : []), ...transcript.queue].map(
    ({ turnId }): EventBody => ({ type: 'turn.ended', data: { turnId, error } }),
  )
  return [
    ...permissions,
    ...turns,
    { type: 'agent.exited', data: { reason: 'hub_crash' } },
    { type: 'session.ended', data: { status: 'error', reason: 'hub_crash', message } },
  ]
}
