// REST for signing agents in and out: by their own methods, or in a terminal that opens for the person.
import { authenticateSchema } from '@quayside/protocol/schemas'
import { Router } from 'express'
import type { AgentRuntime } from '../agents/agent-runtime.js'
import {
  AgentSignIns,
  authenticate,
  signOut,
  type TerminalSignIn,
} from '../agents/agent-sign-in.js'
import type { InstalledExtension } from '../agents/extensions/extensions.js'
import { type Log, logRejection } from '../log.js'
import type { PeopleTerminals } from '../terminals/people-terminals.js'

export type AgentSignInDeps = {
  readonly agents: AgentRuntime
  readonly terminals: PeopleTerminals
  readonly log: Log
}

/** The method that a manifest's `auth.terminal` stands for. */
const TERMINAL_METHOD = 'terminal'
const TERMINAL_SIZE = { cols: 100, rows: 30 }

export function agentSignInRoutes({ agents, terminals, log }: AgentSignInDeps): Router {
  const routes = Router()
  const signIns = new AgentSignIns()

  const openTerminal = async (extension: InstalledExtension, method?: TerminalSignIn) => {
    const inTerminal = agents.inTerminal(extension, method)
    const terminal = await terminals.create({ ...inTerminal, ...TERMINAL_SIZE })
    const done = terminals.exited(terminal.id).then(() => agents.pool.refresh(extension))
    logRejection(log, 'waiting for a sign-in', done)
    return terminal
  }

  routes.post('/:id/authenticate', async (request, response) => {
    const { methodId } = authenticateSchema.parse(request.body)
    const extension = agents.extensions.require(request.params.id)
    const { id, auth } = extension.manifest
    if (methodId === TERMINAL_METHOD && auth.terminal) {
      const terminal = await openTerminal(extension)
      response.status(202).json({ authenticated: false, terminal })
      return
    }
    const state = await signIns.authenticate(`${id} ${methodId}`, async () => {
      const ended = await authenticate(() => agents.startAlone(id), methodId)
      if (ended.is === 'signed-in') agents.pool.refresh(extension)
      return ended
    })
    if (state.is === 'signed-in') {
      response.json({ authenticated: true })
      return
    }
    const terminal = state.is === 'in-terminal' && (await openTerminal(extension, state.how))
    response.status(202).json({ authenticated: false, ...(terminal && { terminal }) })
  })

  routes.post('/:id/logout', async (request, response) => {
    const extension = agents.extensions.require(request.params.id)
    await signOut(() => agents.startAlone(extension.manifest.id))
    agents.pool.refresh(extension)
    response.json({ authenticated: false })
  })

  return routes
}
