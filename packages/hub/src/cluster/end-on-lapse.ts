// The lease of this hub has lapsed: another one may take its sessions over soon, so no agent of it may go on.
import type { AgentRuntime } from '../agents/agent-runtime.js'
import { type Log, logRejection } from '../log.js'
import { describeCause } from '../process/end-cause.js'
import type { LiveSessions } from '../sessions/live/live-sessions.js'
import type { Session } from '../sessions/live/session.js'
import type { HubLease } from '../store/cluster-store.js'

const LOST = {
  status: 'error',
  reason: 'lease_lost',
  details: { message: describeCause('lease_lost') },
} as const

export type LapseDeps = {
  readonly lease: HubLease
  readonly agents: AgentRuntime
  readonly live: LiveSessions
  readonly log: Log
}

/** The ends of the sessions are stored when the hub has registered again, unless another hub has them by then. */
export function endOnLapse({ lease, agents, live, log }: LapseDeps): void {
  lease.onLapse(() => {
    const withAgent = new Set(agents.listProcesses().flatMap(({ sessionIds }) => sessionIds))
    const sessions = live.all
    log.error(
      { sessions: sessions.length },
      'the lease of this hub has lapsed: the database did not answer in time, or the hub was paused. Ending all agents',
    )
    agents.kill('lease_lost')
    const end = (session: Session): void => logRejection(log, 'ending a session', session.end(LOST))
    for (const session of sessions.filter(({ id }) => !withAgent.has(id))) end(session)
    // Their first event may be stored nevertheless. A start that fails is reported to its caller.
    for (const started of live.starting) started.then(end, () => undefined)
  })
}
