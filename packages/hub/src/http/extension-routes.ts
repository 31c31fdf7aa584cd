// REST for extensions: which agents there are, and signing them in and out.
import { authenticateSchema, wireQuerySchema } from '@quayside/protocol/schemas'
import { Router } from 'express'
import { authenticate, signOut } from '../agents/agent-sign-in.js'
import type { AgentGround } from '../agents/agent-ground.js'
import type { Probes } from '../agents/probes.js'

export function extensionRoutes(agents: AgentGround, probes: Probes): Router {
  const routes = Router()

  routes.get('/', (_request, response) => {
    const extensions = agents.extensions.list()
    response.json({ extensions: extensions.map((one) => ({ ...one, ...probes.lastOf(one.id) })) })
  })

  routes.get('/debug/raw', (request, response) => {
    const { limit } = wireQuerySchema.parse(request.query)
    response.json({ frames: agents.wireLog.recent(limit) })
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
