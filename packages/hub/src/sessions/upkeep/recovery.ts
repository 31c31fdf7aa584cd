// After a crash of the hub: sessions that say active have no agent any more. Appends the ends that are missing.
import type { Log } from '../../log.js'
import type { Database } from '../../store/database.js'
import type { EventLog } from '../log/event-log.js'
import { appendMissingEnds, type ClosingEvents } from '../log/close-log.js'

const MESSAGE = 'The hub stopped before the agent had finished.'

const CRASHED: ClosingEvents = {
  ended: { status: 'error', reason: 'hub_crash', message: MESSAGE },
  exited: { reason: 'hub_crash' },
  failure: { code: 'hub_crash', message: MESSAGE },
  reason: 'hub_crash',
}

/** Runs before the hub serves. */
export async function recoverSessions(db: Database, eventLog: EventLog, log: Log): Promise<void> {
  const rows = db.prepare("SELECT id FROM AgentSession WHERE status = 'active'").all() as {
    id: string
  }[]
  for (const { id } of rows) {
    await appendMissingEnds(eventLog, id, CRASHED)
    log.warn({ sessionId: id }, 'the hub ended without closing this session; it is now in error')
  }
}
