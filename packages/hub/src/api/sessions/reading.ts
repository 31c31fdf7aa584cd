// Implements the commands that read a part of a session as JSON. Streams and downloads are in http/feeds and http/raw.
import type { Handlers, readingCommands } from '@quayside/protocol/schemas'
import type { Caller } from '../../http/access/principal.js'
import type { Log } from '../../log.js'
import type { SessionChanges } from '../../sessions/changes/session-changes.js'
import type { PlaceFinder } from '../../sessions/reading/place-finder.js'
import type { SessionReader } from '../../sessions/reading/session-reader.js'
import type { Timelines } from '../../sessions/reading/timeline.js'
import type { Workspaces } from '../../workspaces/workspaces.js'
import { throwPathError } from '../repo-errors.js'

export type ReadingDeps = {
  readonly reader: SessionReader
  readonly timelines: Timelines
  readonly finder: PlaceFinder
  readonly changes: SessionChanges
  readonly workspaces: Workspaces
  readonly log: Log
}

export function reading(deps: ReadingDeps): Handlers<typeof readingCommands, Caller> {
  const { reader, timelines, finder, changes, workspaces, log } = deps
  return {
    'session/timeline': async ({ sessionId, limit, before }) => {
      const { id } = await reader.requireSummary(sessionId)
      return timelines.read(id, limit, before)
    },
    'session/find': async ({ sessionId, ...request }) => {
      const { id } = await reader.requireSummary(sessionId)
      return finder.find(id, request)
    },
    'session/changes': async ({ sessionId, since, turnId, path, patches }) => {
      const summary = await reader.requireSummary(sessionId)
      const { id } = summary
      const repository = workspaces.require(summary)
      const input = { since, turnId, path, withPatches: patches }
      return changes.read(id, repository, input).catch(throwPathError(path, log))
    },
  }
}
