// Implements the installation, sign-in and sign-out of agents: by their own methods, or in a terminal that opens for the
// person.
import type { agentCommands, Handlers } from '@quayside/protocol/schemas'
import type { AgentRuntime } from '../agents/agent-runtime.js'
import {
  AgentSignIns,
  authenticate,
  signOut,
  type TerminalSignIn,
} from '../agents/agent-sign-in.js'
import type { InstalledExtension } from '../agents/extensions/extensions.js'
import type { Caller } from '../http/access/principal.js'
import { HubError } from '../errors.js'
import { type Log, logRejection } from '../log.js'
import type { PeopleTerminals } from '../terminals/people/people-terminals.js'

export type AgentSignInDeps = {
  readonly agents: AgentRuntime
  readonly terminals: PeopleTerminals
  readonly log: Log
}

type SignInHandlers = Pick<
  Handlers<typeof agentCommands, Caller>,
  'extension/authenticate' | 'extension/install' | 'extension/logout'
>

/** The method that a manifest's `auth.terminal` stands for. */
const TERMINAL_METHOD = 'terminal'
const TERMINAL_SIZE = { cols: 100, rows: 30 }

export function agentSignIn({ agents, terminals, log }: AgentSignInDeps): SignInHandlers {
  const signIns = new AgentSignIns()

  const openTerminal = async (extension: InstalledExtension, method?: TerminalSignIn) => {
    const inTerminal = agents.inTerminal(extension, method)
    const terminal = await terminals.create({ ...inTerminal, ...TERMINAL_SIZE })
    const done = terminals.exited(terminal.id).then(() => agents.pool.refresh(extension))
    logRejection(log, 'waiting for a sign-in', done)
    return terminal
  }

  return {
    'extension/authenticate': async ({ extensionId, methodId }) => {
      const extension = agents.extensions.require(extensionId)
      const { id, auth } = extension.manifest
      if (methodId === TERMINAL_METHOD && auth.terminal)
        return { authenticated: false, terminal: await openTerminal(extension) }
      const state = await signIns.authenticate(`${id} ${methodId}`, async () => {
        const ended = await authenticate(() => agents.startAlone(id), methodId)
        if (ended.is === 'signed-in') agents.pool.refresh(extension)
        return ended
      })
      if (state.is === 'signed-in') return { authenticated: true }
      const terminal = state.is === 'in-terminal' && (await openTerminal(extension, state.how))
      return { authenticated: false, ...(terminal && { terminal }) }
    },
    'extension/install': async ({ extensionId }) => {
      const { name, install } = agents.extensions.require(extensionId).manifest
      if (install === undefined)
        throw new HubError('option_not_found', {
          message: `Quayside has no command that installs ${name}. See its website.`,
        })
      const shell = { command: '/bin/sh', args: ['-c', install] }
      return terminals.create({ folder: agents.neutralFolder(), ...shell, ...TERMINAL_SIZE })
    },
    'extension/logout': async ({ extensionId }) => {
      const extension = agents.extensions.require(extensionId)
      await signOut(() => agents.startAlone(extension.manifest.id))
      agents.pool.refresh(extension)
      return { authenticated: false }
    },
  }
}
