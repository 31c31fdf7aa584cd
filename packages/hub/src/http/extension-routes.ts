// REST for extensions: which agents there are, their settings, and signing them in and out.
import {
  authenticateSchema,
  changeExtensionSettingsSchema,
  wireQuerySchema,
} from '@quayside/protocol/schemas'
import { Router } from 'express'
import { authenticate, signOut } from '../agents/agent-sign-in.js'
import type { AgentGround } from '../agents/agent-ground.js'
import type { Probes } from '../agents/probes.js'
import { withDefaults } from '../agents/settings-values.js'
import { describeExtension, listExtensions } from './extension-view.js'
import { sendFrames } from './wire-routes.js'

export function extensionRoutes(agents: AgentGround, probes: Probes): Router {
  const routes = Router()
  const { extensions, settings } = agents

  routes.get('/', (_request, response) => {
    const listed = listExtensions(agents).map((one) => ({ ...one, ...probes.lastOf(one.id) }))
    response.json({ extensions: listed, problems: extensions.problems })
  })

  routes.get('/debug/raw', async (request, response) => {
    const { limit, format } = wireQuerySchema.parse(request.query)
    await sendFrames([request, response], agents.wireLog.recent(limit), { format, name: 'wire' })
  })

  routes.get('/:id', (request, response) => {
    response.json(describeExtension(agents, request.params.id))
  })

  routes.get('/:id/settings_schema', (request, response) => {
    const extension = extensions.require(request.params.id)
    const { hubWide } = settings.layersOf(extension.manifest.id)
    response.json(withDefaults(extension, hubWide, process.env))
  })

  routes.get('/:id/settings', (request, response) => {
    response.json(settings.show(extensions.require(request.params.id), process.env))
  })

  routes.put('/:id/settings', (request, response) => {
    const extension = extensions.require(request.params.id)
    settings.change(extension, changeExtensionSettingsSchema.parse(request.body).settings)
    agents.pool.refresh(extension)
    response.json(settings.show(extension, process.env))
  })

  routes.post('/:id/authenticate', async (request, response) => {
    const { methodId } = authenticateSchema.parse(request.body)
    await authenticate(() => agents.startAlone(request.params.id), methodId)
    agents.pool.refresh(extensions.require(request.params.id))
    response.json({ authenticated: true })
  })

  routes.post('/:id/logout', async (request, response) => {
    await signOut(() => agents.startAlone(request.params.id))
    agents.pool.refresh(extensions.require(request.params.id))
    response.json({ authenticated: false })
  })

  return routes
}
