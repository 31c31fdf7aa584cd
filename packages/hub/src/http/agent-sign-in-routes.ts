// REST for signing agents in and out: by their own methods, or in a terminal that opens for the person.
import { authenticateSchema } from '@quayside/protocol/schemas'
import { Router } from 'express'
import type { AgentGround } from '../agents/agent-ground.js'
import { authenticate, signOut } from '../agents/agent-sign-in.js'
import type { InstalledExtension } from '../agents/extensions.js'
import { type Log, logRejection } from '../log.js'
import type { PeopleTerminals } from '../terminals/people-terminals.js'

export type AgentSignInParts = {
  readonly agents: AgentGround
  readonly terminals: PeopleTerminals
  readonly log: Log
}

/** The method that a manifest's `auth.terminal` stands for. */
const TERMINAL_METHOD = 'terminal'
const TERMINAL_SIZE = { cols: 100, rows: 30 }

export function agentSignInRoutes({ agents, terminals, log }: AgentSignInParts): Router {
  const routes = Router()

  routes.post('/:id/authenticate', async (request, response) => {
    const { methodId } = authenticateSchema.parse(request.body)
    const extension = agents.extensions.require(request.params.id)
    const inTerminal = await signIn(agents, extension, methodId)
    if (inTerminal === undefined) {
      agents.pool.refresh(extension)
      response.json({ authenticated: true })
      return
    }
    const terminal = await terminals.create({ ...inTerminal, ...TERMINAL_SIZE })
    const done = terminals.exited(terminal.id).then(() => agents.pool.refresh(extension))
    logRejection(log, 'waiting for a sign-in', done)
    response.status(202).json({ authenticated: false, terminal })
  })

  routes.post('/:id/logout', async (request, response) => {
    const extension = agents.extensions.require(request.params.id)
    await signOut(() => agents.startAlone(extension.manifest.id))
    agents.pool.refresh(extension)
    response.json({ authenticated: false })
  })

  return routes
}

/** What to run in a terminal, when that is how it is done. */
async function signIn(agents: AgentGround, extension: InstalledExtension, methodId: string) {
  const { id, auth } = extension.manifest
  if (methodId === TERMINAL_METHOD && auth.terminal) return agents.inTerminal(extension)
  const method = await authenticate(() => agents.startAlone(id), methodId)
  return method && agents.inTerminal(extension, method)
}
