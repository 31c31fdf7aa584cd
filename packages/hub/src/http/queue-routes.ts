// REST for the prompts of a session that still wait: look, edit, move, send now, remove.
import { type EditQueuedInput, editQueuedSchema, promptBlocks } from '@quayside/protocol/schemas'
import { Router } from 'express'
import type { QueueEdit, Session } from '../sessions/session.js'
import { principalOf } from './principal.js'
import type { SessionParts } from './session-routes.js'

export function queueRoutes({ sessions, reader }: SessionParts): Router {
  const routes = Router()

  routes.get('/:id/queue', async (request, response) => {
    const { id } = await reader.requireSummary(request.params.id)
    response.json({ queue: queueOf(sessions.findLive(id)) })
  })

  routes.patch('/:id/queue/:turnId', async (request, response) => {
    const edit = queueEdit(editQueuedSchema.parse(request.body))
    const session = await sessions.requireActive(request.params.id)
    await session.editQueued(request.params.turnId, edit, principalOf(request).name)
    response.json({ queue: queueOf(session) })
  })

  routes.delete('/:id/queue/:turnId', async (request, response) => {
    const session = await sessions.requireActive(request.params.id)
    await session.removeQueued(request.params.turnId, principalOf(request).name)
    response.json({ queue: queueOf(session) })
  })

  routes.delete('/:id/queue', async (request, response) => {
    const session = await sessions.requireActive(request.params.id)
    await clearQueue(session, principalOf(request).name)
    response.json({ queue: queueOf(session) })
  })

  return routes
}

export function queueEdit({ text, prompt, before, now }: EditQueuedInput): QueueEdit {
  const isEdited = text !== undefined || prompt !== undefined
  const wish = { ...(text && { text }), ...(prompt && { prompt }) }
  return { prompt: isEdited ? promptBlocks(wish) : undefined, before, now }
}

export async function clearQueue(session: Session, by: string): Promise<void> {
  await Promise.all([...session.queue].map(({ turnId }) => session.removeQueued(turnId, by)))
}

export function queueOf(session: Session | undefined) {
  return (session?.queue ?? []).map(({ turnId, prompt, by, queuedAt }) => ({
    turnId,
    prompt,
    ...(by === undefined ? {} : { by }),
    queuedAt: new Date(queuedAt).toISOString(),
  }))
}
