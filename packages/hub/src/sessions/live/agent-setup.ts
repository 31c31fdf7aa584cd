// Resolves how the agent of a session is launched, where it works and which options it gets.
import type { SessionSettings } from '@quayside/protocol/schemas'
import type { AgentRuntime } from '../../agents/agent-runtime.js'
import type { Workplace } from '../../agents/connection/agent-process.js'
import type { InstalledExtension } from '../../agents/extensions/extensions.js'
import type { Launch } from '../../agents/extensions/launch.js'
import { HubError } from '../../errors.js'
import type { Log } from '../../log.js'
import { requireInnerFolder } from '../../repos/inner-folder.js'
import type { RepoTrust } from '../../repos/repo-trust.js'

/** A mode, a model or another option that the settings ask for. */
export type AgentChoice = { readonly optionId: string; readonly value: string | boolean }

/** The agent's launch, its folder and servers, and the options that are set once its session is open. */
export type AgentSetup = {
  readonly launch: Launch
  readonly workplace: Workplace
  readonly choices: readonly AgentChoice[]
}

export type AgentSetupInput = {
  readonly extension: InstalledExtension
  /** The real path of the session's repository. */
  readonly cwd: string
  readonly settings: SessionSettings
}

/** Throws `agent_not_installed`, and as `resolveWorkplace` does. */
export function resolveAgentSetup(
  agents: AgentRuntime,
  input: AgentSetupInput,
  log: Log,
): AgentSetup {
  const { extension, cwd, settings } = input
  return {
    launch: resolveLaunch(agents, input, log),
    workplace: resolveWorkplace(cwd, settings, log),
    choices: agents.choicesOf(extension, settings),
  }
}

/** `settings.cwd` is a folder inside the repository. Throws `path_outside_root`, or `invalid_settings` for a path inside that is no folder. */
function resolveWorkplace(repository: string, settings: SessionSettings, log: Log): Workplace {
  const { cwd, mcpServers = [] } = settings
  if (typeof cwd !== 'string') return { cwd: repository, mcpServers }
  const input = { repository, wanted: cwd, field: 'settings.cwd' }
  return { cwd: requireInnerFolder(input, log), mcpServers }
}

export type TrustDeps = { readonly trust: RepoTrust; readonly log: Log }

/** For the folder that the agent will work in, which must exist. */
export function requireTrust(
  { trust, log }: TrustDeps,
  repoId: string,
  { path, settings }: { readonly path: string; readonly settings: SessionSettings },
): Promise<void> {
  return trust.require(repoId, { path, cwd: resolveWorkplace(path, settings, log).cwd })
}

function resolveLaunch(
  agents: AgentRuntime,
  { extension, cwd, settings }: AgentSetupInput,
  log: Log,
): Launch {
  try {
    return agents.launchOf(extension, cwd, settings)
  } catch (error) {
    // The details list the places where the program was searched, for the operator.
    if (error instanceof HubError && error.code === 'agent_not_installed')
      log.warn(error.details, error.message)
    throw error
  }
}
