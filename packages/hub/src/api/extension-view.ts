// Extensions as clients see them, also broken ones; with `installed` and `isSet` for those that work.
import type { Extension, ExtensionDetail } from '@quayside/protocol'
import type { AgentRuntime } from '../agents/agent-runtime.js'
import { HubError } from '../errors.js'

export function listExtensions(agents: AgentRuntime): Extension[] {
  return agents.extensions.list().map((extension) => withState(agents, extension))
}

export function describeExtension(agents: AgentRuntime, id: string): ExtensionDetail {
  const all = agents.extensions.list()
  const extension = all.find((candidate) => candidate.id === id)
  if (extension === undefined)
    throw new HubError('extension_not_found', { extensionId: id, known: all.map(({ id }) => id) })
  if (!extension.enabled) return withState(agents, extension)
  const installed = agents.extensions.require(id)
  const { install, website, agent, auth } = installed.manifest
  const { settings } = agents.settings.show(installed, agents.env)
  const { processModel, services, pathEnv } = agent
  return {
    ...withState(agents, extension),
    ...(website && { website }),
    ...(install && { install }),
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

function withState(agents: AgentRuntime, listed: Extension): Extension {
  const extension = agents.own.isOwn(listed.id) ? { ...listed, isOwn: true as const } : listed
  if (!extension.enabled) return extension
  const known = agents.extensions.require(extension.id)
  const capabilities = agents.capabilitiesOf(extension.id)
  const startedAt = agents.downloads.startedAt(known)
  return {
    ...extension,
    installed: agents.isInstalled(known),
    ...(capabilities && { capabilities }),
    ...(startedAt !== undefined && { downloadingSince: new Date(startedAt).toISOString() }),
    warm: agents.pool.warmState(known),
  }
}
