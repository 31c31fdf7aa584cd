// After a crash of the hub: sessions that are still active have no agent any more. Appends their closing events.
import type { Log } from '../../log.js'
import type { SessionStore } from '../../store/session-store.js'
import { appendMissingEnds, type ClosingEvents } from '../log/close-log.js'
import type { EventLog } from '../log/event-log.js'

/** Only a turn that was running has a text of its own: an idle agent was not at work. The transcript describes the rest. */
const CRASHED: ClosingEvents = {
  ended: { status: 'error', reason: 'hub_crash' },
  exited: { reason: 'hub_crash' },
  failure: { code: 'hub_crash', message: 'The hub stopped before the agent had finished.' },
  reason: 'hub_crash',
}

/** Runs before the hub serves. */
export async function recoverSessions(
  store: SessionStore,
  eventLog: EventLog,
  log: Log,
): Promise<void> {
  for (const id of await store.activeIds()) {
    await appendMissingEnds(eventLog, id, CRASHED)
    log.warn({ sessionId: id }, 'the hub ended without closing this session; it is now in error')
  }
}
