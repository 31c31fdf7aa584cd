// REST for the prompts of a session that still wait: look, edit, move, send now, remove.
import { type EditQueuedInput, editQueuedSchema, promptBlocks } from '@quayside/protocol/schemas'
import { Router } from 'express'
import type { QueueEdit, Session } from '../sessions/live/session.js'
import type { Turn } from '../sessions/live/turn.js'
import { principalOf } from './principal.js'
import type { SessionDeps } from './session-routes.js'

type QueuedPrompt = Pick<Turn, 'turnId' | 'prompt' | 'queuedAt'> & {
  readonly by?: string | undefined
}

export function queueRoutes(deps: SessionDeps): Router {
  const { sessions } = deps
  const routes = Router()

  routes.get('/:id/queue', async (request, response) => {
    response.json({ queue: await readQueue(deps, request.params.id) })
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

/** Active or not: what waits in a session that failed goes on when it comes back. */
export async function readQueue({ sessions, reader, timelines }: SessionDeps, sessionId: string) {
  const { id } = await reader.requireSummary(sessionId)
  const live = sessions.findLive(id)
  if (live) return queueOf(live)
  return (await timelines.waiting(id)).map(({ at, ...turn }) => toQueued({ ...turn, queuedAt: at }))
}

export function queueOf({ queue }: Session) {
  return queue.map(toQueued)
}

function toQueued({ turnId, prompt, by, queuedAt }: QueuedPrompt) {
  return {
    turnId,
    prompt,
    ...(by === undefined ? {} : { by }),
    queuedAt: new Date(queuedAt).toISOString(),
  }
}
