// Extensions as clients see them, also broken ones; with `installed` and `isSet` for those that work.
import type { Extension, ExtensionDetail } from '@quayside/protocol'
import type { AgentRuntime } from '../agents/agent-runtime.js'
import { HubError } from '../errors.js'

export function listExtensions(agents: AgentRuntime): Extension[] {
  const { defaultId } = agents
  return agents.extensions.list().map((extension) => withState(agents, extension, defaultId))
}

export function describeExtension(agents: AgentRuntime, id: string): ExtensionDetail {
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
