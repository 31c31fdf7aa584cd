// Implements the commands for kinds of agents: their list, settings and probes.
import type { agentCommands, Handlers } from '@quayside/protocol/schemas'
import type { AgentRuntime } from '../agents/agent-runtime.js'
import { withDefaults } from '../agents/extensions/settings-values.js'
import type { Probes } from '../agents/probe/probes.js'
import type { Caller } from '../http/access/principal.js'
import { type AgentSignInDeps, agentSignIn } from './agent-sign-in.js'
import { describeExtension, listExtensions } from './extension-view.js'

export type AgentDeps = AgentSignInDeps & {
  readonly agents: AgentRuntime
  readonly probes: Probes
}

export function agents(deps: AgentDeps): Handlers<typeof agentCommands, Caller> {
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
