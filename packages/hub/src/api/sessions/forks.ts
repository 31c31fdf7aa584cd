// Implements the commands for forks of sessions.
import type { forkCommands, Handlers } from '@quayside/protocol/schemas'
import type { Caller } from '../../http/access/principal.js'
import type { Forks } from '../../sessions/forks.js'
import type { LiveSessions } from '../../sessions/live/live-sessions.js'
import { primerText } from '../../sessions/live/primer.js'
import type { SessionReader } from '../../sessions/reading/session-reader.js'
import type { Timelines } from '../../sessions/reading/timeline.js'
import { throwGitError } from '../repo-errors.js'

export type ForkDeps = {
  readonly forks: Forks
  readonly live: LiveSessions
  readonly reader: SessionReader
  readonly timelines: Timelines
}

export function forks(deps: ForkDeps): Handlers<typeof forkCommands, Caller> {
  const { forks, live, reader, timelines } = deps
  return {
    'session/fork': async ({ sessionId, ...input }, { by }) => {
      const { id } = await forks.create(sessionId, input, by).catch(throwGitError)
      return { ...(await reader.requireSummary(id)), sessionId: id }
    },
    'session/primer': async ({ sessionId }) => {
      const { id } = await reader.requireSummary(sessionId)
      return { text: live.find(id)?.isUnprimed ? await primerText(timelines, id) : '' }
    },
  }
}
