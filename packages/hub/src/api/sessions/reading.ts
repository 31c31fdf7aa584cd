// Implements the commands that read a part of a session as JSON. Streams and downloads are in http/feeds and http/raw.
import type { readingCommands } from '@quayside/protocol/schemas'
import { throwPathError } from '../repo-errors.js'
import type { Room } from '../room.js'

export const reading: Room<typeof readingCommands> = (deps) => {
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
      return changes.read(id, repository, input).catch((error: unknown) => {
        // A work tree that was removed meanwhile is no fault of git's.
        workspaces.require(summary)
        return throwPathError(path, log)(error)
      })
    },
  }
}
