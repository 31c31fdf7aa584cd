// REST for sessions. Each route parses its input, calls one function, and says what came of it.
import type { SessionSummary } from '@quayside/protocol'
import {
  createSessionSchema,
  deleteSessionQuerySchema,
  listSessionsQuerySchema,
  messagesQuerySchema,
  patchSessionSchema,
} from '@quayside/protocol/schemas'
import { Router } from 'express'
import type { EventLog } from '../sessions/log/event-log.js'
import type { SessionLister } from '../sessions/reading/session-list.js'
import { HubError } from '../errors.js'
import type { Retention } from '../sessions/upkeep/retention.js'
import type { SessionChanges } from '../sessions/changes/session-changes.js'
import type { SessionReader } from '../sessions/reading/session-reader.js'
import type { Sessions } from '../sessions/sessions.js'
import type { Timelines } from '../sessions/reading/timeline.js'
import { principalOf } from './principal.js'

export type SessionDeps = {
  readonly sessions: Sessions
  readonly reader: SessionReader
  readonly lister: SessionLister
  readonly eventLog: EventLog
  readonly timelines: Timelines
  readonly retention: Retention
  readonly changes: SessionChanges
}

export function sessionRoutes({ sessions, reader, lister }: SessionDeps): Router {
  const routes = Router()

  routes.post('/', async (request, response) => {
    const wish = createSessionSchema.parse(request.body)
    const session = await sessions.create({ ...wish, by: principalOf(request).name })
    response.status(201).json(await reader.requireSummary(session.id))
  })

  routes.get('/', async (request, response) => {
    const page = await lister.list(listSessionsQuerySchema.parse(request.query))
    const { maxActive } = sessions
    response.json({ ...page, maxActive, extensionIds: await lister.extensionIds() })
  })

  routes.get('/:id', async (request, response) => {
    response.json(await reader.requireDetail(request.params.id))
  })

  routes.patch('/:id', async (request, response) => {
    const { id } = request.params
    await sessions.change(id, patchSessionSchema.parse(request.body), principalOf(request).name)
    response.json(await reader.requireSummary(id))
  })

  routes.post('/:id/resume', async (request, response) => {
    const { id } = request.params
    await sessions.resume(id, principalOf(request).name)
    response.json(await reader.requireSummary(id))
  })

  routes.get('/:id/messages', async (request, response) => {
    const { since } = messagesQuerySchema.parse(request.query)
    await reader.requireSummary(request.params.id)
    response.json(await reader.messages(request.params.id, since))
  })

  return routes
}

/** The ways a session ends on purpose. */
export function endingRoutes(deps: SessionDeps): Router {
  const routes = Router()

  routes.delete('/:id', async (request, response) => {
    const { purge } = deleteSessionQuerySchema.parse(request.query)
    const wish = { purge: purge === 'true', by: principalOf(request).name }
    response.json(await deleteSession(deps, request.params.id, wish))
  })

  routes.post('/:id/complete', async (request, response) => {
    const { id } = request.params
    await deps.sessions.end(id, 'completed', principalOf(request).name)
    response.json(await deps.reader.requireSummary(id))
  })

  return routes
}

/** Ends a session and, when it is purged, removes it. Answers with the last that is known of it. */
export async function deleteSession(
  { sessions, reader, retention }: SessionDeps,
  id: string,
  { purge, by }: { purge: boolean; by: string },
): Promise<SessionSummary> {
  await sessions.end(id, 'cancelled', by)
  const last = await reader.requireSummary(id)
  if (!purge) return last
  if (!(await retention.purgeSession(id)))
    throw new HubError('session_not_ended', { sessionId: id })
  return last
}
