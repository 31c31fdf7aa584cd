// Implements the commands for kinds of agents: their list, settings and probes, their installation, and their sign-in by
// their own methods or in a terminal that opens for the person. Lists have broken extensions, too.
import type { Extension, ExtensionDetail } from '@quayside/protocol'
import type { agentCommands, Handlers } from '@quayside/protocol/schemas'
import type { AgentRuntime } from '../agents/agent-runtime.js'
import {
  AgentSignIns,
  authenticate,
  signOut,
  type TerminalSignIn,
} from '../agents/agent-sign-in.js'
import type { InstalledExtension } from '../agents/extensions/extensions.js'
import { withDefaults } from '../agents/extensions/settings-values.js'
import { HubError } from '../errors.js'
import type { Caller } from '../http/access/principal.js'
import { logRejection } from '../log.js'
import type { ApiDeps, Room } from './room.js'

export const agents: Room<typeof agentCommands> = (deps) => {
  const { agents, probes } = deps
  const { extensions, settings, own } = agents
  return {
    ...agentSignIn(deps),
    'extension/list': () => {
      const listed = listExtensions(agents).map((one) => ({ ...one, ...probes.lastOf(one.id) }))
      return { extensions: listed, problems: extensions.problems }
    },
    'extension/get': ({ extensionId }) => describeExtension(agents, extensionId),
    'extension/put': ({ extensionId, ...extension }) => {
      own.put(extensionId, extension)
      return describeExtension(agents, extensionId)
    },
    'extension/reload': ({ extensionId }) => {
      own.reload(extensionId)
      return describeExtension(agents, extensionId)
    },
    'extension/remove': ({ extensionId }) => own.remove(extensionId),
    'extension/settings-schema': ({ extensionId }) => {
      const extension = extensions.require(extensionId)
      const { hubWide } = settings.layersOf(extension.manifest.id)
      return withDefaults(extension, hubWide, agents.env)
    },
    'extension/settings': ({ extensionId }) =>
      settings.show(extensions.require(extensionId), agents.env),
    'extension/change-settings': ({ extensionId, settings: changes }) => {
      const extension = extensions.require(extensionId)
      settings.change(extension, changes)
      agents.pool.refresh(extension)
      return settings.show(extension, agents.env)
    },
    'extension/probe': ({ extensionId }) => probes.probe(extensionId),
  }
}

type SignInHandlers = Pick<
  Handlers<typeof agentCommands, Caller>,
  'extension/authenticate' | 'extension/install' | 'extension/logout'
>

/** The method that a manifest's `auth.terminal` stands for. */
const TERMINAL_METHOD = 'terminal'
const TERMINAL_SIZE = { cols: 100, rows: 30 }

function agentSignIn({ agents, terminals, log }: ApiDeps): SignInHandlers {
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

function listExtensions(agents: AgentRuntime): Extension[] {
  const { defaultId } = agents
  return agents.extensions.list().map((extension) => withState(agents, extension, defaultId))
}

function describeExtension(agents: AgentRuntime, id: string): ExtensionDetail {
  const all = agents.extensions.list()
  const extension = all.find((candidate) => candidate.id === id)
  if (extension === undefined)
    throw new HubError('extension_not_found', { extensionId: id, known: all.map(({ id }) => id) })
  const shown = withState(agents, extension, agents.defaultId)
  if (!extension.enabled) return shown
  const installed = agents.extensions.require(id)
  const { website, agent, auth } = installed.manifest
  const { settings } = agents.settings.show(installed, agents.env)
  const { processModel, services, pathEnv } = agent
  return {
    ...shown,
    ...(website && { website }),
    ...(pathEnv && { pathEnv }),
    processModel,
    services,
    auth: {
      ...(auth.terminal && { terminal: auth.terminal }),
      env: auth.env.map((key) => {
        const shown = settings[key.name]
        return { ...key, isSet: typeof shown === 'object' && shown.isSet }
      }),
    },
  }
}

function withState(
  agents: AgentRuntime,
  listed: Extension,
  defaultId: string | undefined,
): Extension {
  const extension = {
    ...listed,
    ...(agents.own.isOwn(listed.id) && { isOwn: true as const }),
    ...(listed.id === defaultId && { isDefault: true as const }),
  }
  if (!extension.enabled) return extension
  const known = agents.extensions.require(extension.id)
  const { install } = known.manifest
  const capabilities = agents.capabilitiesOf(extension.id)
  const startedAt = agents.downloads.startedAt(known)
  return {
    ...extension,
    installed: agents.isInstalled(known),
    ...(install && { install }),
    ...(capabilities && { capabilities }),
    ...(startedAt !== undefined && { downloadingSince: new Date(startedAt).toISOString() }),
    warm: agents.pool.warmState(known),
  }
}
