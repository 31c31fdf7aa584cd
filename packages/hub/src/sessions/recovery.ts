// After a crash of the hub: sessions that say active have no agent any more. Appends the ends that are missing.
import type { EventBody, Transcript } from '@quayside/protocol'
import type { Log } from '../log.js'
import type { Database } from '../store/database.js'
import type { EventLog } from './event-log.js'
import { foldLog } from './fold-log.js'

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
  // Prompts that were never sent keep waiting for the session to come back; what was sent is not sent again.
  const turns: EventBody[] = transcript.turn
    ? [{ type: 'turn.ended', data: { turnId: transcript.turn.turnId, error } }]
    : []
  return [
    ...permissions,
    ...turns,
    { type: 'agent.exited', data: { reason: 'hub_crash' } },
    { type: 'session.ended', data: { status: 'error', reason: 'hub_crash', message } },
  ]
}
