// Implements the commands that read a session as JSON. Streams and downloads are in http/feeds and http/raw.
import type { Handlers, readingCommands } from '@quayside/protocol/schemas'
import type { Caller } from '../http/access/principal.js'
import type { Log } from '../log.js'
import type { Repos } from '../repos/repos.js'
import type { SessionChanges } from '../sessions/changes/session-changes.js'
import type { SessionReader } from '../sessions/reading/session-reader.js'
import type { Timelines } from '../sessions/reading/timeline.js'
import { throwPathError } from './repo-errors.js'

export type ReadingDeps = {
  readonly reader: SessionReader
  readonly timelines: Timelines
  readonly changes: SessionChanges
  readonly repos: Repos
  readonly log: Log
}

export function reading(deps: ReadingDeps): Handlers<typeof readingCommands, Caller> {
  const { reader, timelines, changes, repos, log } = deps
  return {
    'session/messages': async ({ sessionId, since }) => {
      await reader.requireSummary(sessionId)
      return reader.messages(sessionId, since)
    },
    'session/timeline': async ({ sessionId, limit, before }) => {
      const { id } = await reader.requireSummary(sessionId)
      return timelines.read(id, limit, before)
    },
    'session/changes': async ({ sessionId, since, path, patches }) => {
      const { id, repoId } = await reader.requireSummary(sessionId)
      const repository = repos.requireInsideRoot(repoId).path
      const input = { since, path, withPatches: patches }
      return changes.read(id, repository, input).catch(throwPathError(path, log))
    },
  }
}
