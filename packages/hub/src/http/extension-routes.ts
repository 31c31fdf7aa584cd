// REST for extensions: which agents there are and their settings.
import {
  changeExtensionSettingsSchema,
  putExtensionSchema,
  wireQuerySchema,
} from '@quayside/protocol/schemas'
import { Router } from 'express'
import type { AgentRuntime } from '../agents/agent-runtime.js'
import type { Probes } from '../agents/probe/probes.js'
import { withDefaults } from '../agents/extensions/settings-values.js'
import { describeExtension, listExtensions } from './extension-view.js'
import { sendFrames } from './wire-routes.js'

export type ExtensionDeps = { readonly agents: AgentRuntime; readonly probes: Probes }

export function extensionRoutes({ agents, probes }: ExtensionDeps): Router {
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

  routes.put('/:id', (request, response) => {
    const { id } = request.params
    agents.own.put(id, putExtensionSchema.parse(request.body))
    response.json(describeExtension(agents, id))
  })

  routes.delete('/:id', (request, response) => {
    agents.own.remove(request.params.id)
    response.status(204).end()
  })

  routes.get('/:id/settings_schema', (request, response) => {
    const extension = extensions.require(request.params.id)
    const { hubWide } = settings.layersOf(extension.manifest.id)
    response.json(withDefaults(extension, hubWide, agents.env))
  })

  routes.get('/:id/settings', (request, response) => {
    response.json(settings.show(extensions.require(request.params.id), agents.env))
  })

  routes.put('/:id/settings', (request, response) => {
    const extension = extensions.require(request.params.id)
    settings.change(extension, changeExtensionSettingsSchema.parse(request.body).settings)
    agents.pool.refresh(extension)
    response.json(settings.show(extension, agents.env))
  })

  return routes
}
