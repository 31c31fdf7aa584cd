// Implements the commands for the life of sessions: begun, listed, changed, ended, resumed, removed.
import type { Handlers, sessionCommands } from '@quayside/protocol/schemas'
import { HubError } from '../../errors.js'
import type { Caller } from '../../http/access/principal.js'
import type { LiveSessions } from '../../sessions/live/live-sessions.js'
import type { SessionLister } from '../../sessions/reading/session-list.js'
import type { SessionReader } from '../../sessions/reading/session-reader.js'
import type { SessionEdits } from '../../sessions/session-edits.js'
import type { Sessions } from '../../sessions/sessions.js'
import type { Retention } from '../../sessions/upkeep/retention.js'
import { throwGitError } from '../repo-errors.js'

export type SessionCommandDeps = {
  readonly live: LiveSessions
  readonly sessions: Sessions
  readonly edits: SessionEdits
  readonly reader: SessionReader
  readonly lister: SessionLister
  readonly retention: Retention
}

export function sessions(deps: SessionCommandDeps): Handlers<typeof sessionCommands, Caller> {
  const { live, sessions, edits, reader, lister, retention } = deps
  return {
    'session/new': async (input, { by }) => {
      const session = await sessions.create({ ...input, by }).catch(throwGitError)
      return { ...(await reader.requireSummary(session.id)), sessionId: session.id }
    },
    'session/list': async (filter) => {
      const [page, extensionIds] = [await lister.list(filter), await lister.extensionIds()]
      return { ...page, maxActive: live.max, extensionIds }
    },
    'session/change': async ({ sessionId, ...edit }, { by }) => {
      await edits.apply(sessionId, edit, by)
      return reader.requireSummary(sessionId)
    },
    'session/complete': async ({ sessionId }, { by }) => {
      await sessions.end(sessionId, 'completed', by)
      return reader.requireSummary(sessionId)
    },
    'session/resume': async ({ sessionId, ...options }, { by }) => {
      await sessions.resume(sessionId, by, options)
      return reader.requireSummary(sessionId)
    },
    'session/delete': async ({ sessionId, purge }, { by }) => {
      if (purge) await reader.requireNoForks(sessionId)
      await sessions.end(sessionId, 'cancelled', by)
      const last = await reader.requireSummary(sessionId)
      if (purge && !(await retention.purgeSession(sessionId)))
        throw new HubError('session_not_ended', { sessionId })
      return last
    },
  }
}
