// REST for extensions: which agents there are, and signing them in and out.
import { authenticateSchema, wireQuerySchema } from '@quayside/protocol/schemas'
import { Router } from 'express'
import { authenticate, signOut } from '../agents/agent-sign-in.js'
import type { AgentGround } from '../agents/agent-ground.js'
import { sendFrames } from './wire-routes.js'

export function extensionRoutes(agents: AgentGround): Router {
  const routes = Router()

  routes.get('/', (_request, response) => {
    response.json({ extensions: agents.extensions.list() })
  })

  routes.get('/debug/raw', async (request, response) => {
    const { limit, format } = wireQuerySchema.parse(request.query)
    await sendFrames([request, response], agents.wireLog.recent(limit), { format, name: 'wire' })
  })

  routes.post('/:id/authenticate', async (request, response) => {
    const { methodId } = authenticateSchema.parse(request.body)
    await authenticate(() => agents.startAlone(request.params.id), methodId)
    response.json({ authenticated: true })
  })

  routes.post('/:id/logout', async (request, response) => {
    await signOut(() => agents.startAlone(request.params.id))
    response.json({ authenticated: false })
  })

  return routes
}
