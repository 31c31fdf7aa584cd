// Implements the commands for the life of sessions: begun, listed, changed, ended, resumed, removed, forked.
import type { sessionCommands } from '@quayside/protocol/schemas'
import { HubError } from '../../errors.js'
import { primerText } from '../../sessions/live/primer.js'
import { throwGitError } from '../repo-errors.js'
import type { Room } from '../room.js'

export const sessions: Room<typeof sessionCommands> = (deps) => {
  const { live, sessions, edits, reader, lister, retention, forks, timelines } = deps
  return {
    // A request for another machine has been passed on.
    'session/new': async ({ hub: _hub, ...input }, { by }) => {
      const session = await sessions.create({ ...input, by }).catch(throwGitError)
      return { ...(await reader.requireSummary(session.id)), sessionId: session.id }
    },
    'session/list': async (filter) => {
      const [page, extensionIds] = await Promise.all([lister.list(filter), lister.extensionIds()])
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
