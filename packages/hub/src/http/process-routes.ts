// REST for the processes that the hub keeps: what runs, for which session, what it takes, and its end.
import { Router } from 'express'
import type { AgentGround } from '../agents/agent-ground.js'
import { HubError } from '../errors.js'
import type { Sessions } from '../sessions/sessions.js'
import { principalOf } from './principal.js'

type Parts = { readonly agents: AgentGround; readonly sessions: Sessions }

export function processRoutes({ agents, sessions }: Parts): Router {
  const routes = Router()

  routes.get('/', (_request, response) => {
    response.json({ processes: agents.listProcesses() })
  })

  routes.post('/:pid/stop', async (request, response) => {
    const pid = Number(request.params.pid)
    const process = agents.findProcess(pid)
    if (process === undefined) throw new HubError('process_not_found', { pid })
    const by = principalOf(request).name
    const end = { status: 'cancelled', reason: 'user_request', by } as const
    await Promise.all(process.sessionIds.map(async (id) => sessions.findLive(id)?.end(end)))
    await process.stop()
    response.json({ processes: agents.listProcesses() })
  })

  return routes
}
