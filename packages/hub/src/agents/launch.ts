// From a manifest to what is spawned: the executable found, variables filled in, an environment from an allow-list.
import { delimiter, join, resolve } from 'node:path'
import { HubError } from '../errors.js'
import { isExecutable } from '../executable.js'
import type { InstalledExtension } from './extensions.js'

export type Launch = {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** What every child may see of the hub's environment; a manifest's `inheritEnv` adds names. */
const INHERITED = /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_.+|TZ|TERM|TMPDIR|XDG_.+|SSH_AUTH_SOCK)$/

/** Where an agent works, and where the hub keeps its data. */
export type LaunchPlace = { readonly cwd: string; readonly dataDir: string }

export function resolveLaunch(
  extension: InstalledExtension,
  { cwd, dataDir }: LaunchPlace,
  env: Environment,
): Launch {
  const { agent } = extension.manifest
  const variables = {
    CWD: cwd,
    DATA_DIR: dataDir,
    NODE: process.execPath,
    EXTENSION_DIR: extension.folder,
  }
  const fill = (text: string): string => fillVariables(text, variables)
  const wanted = (agent.pathEnv && env[agent.pathEnv]) || fill(agent.command)
  const inherit = new Set(agent.inheritEnv)
  const inherited = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (INHERITED.test(entry[0]) || inherit.has(entry[0])),
  )
  const added = Object.entries(agent.env).map(([name, value]) => [name, fill(value)])
  return {
    command: requireExecutable(wanted, env, extension),
    args: agent.args.map(fill),
    env: { ...Object.fromEntries(inherited), ...Object.fromEntries(added) },
    cwd,
  }
}

function fillVariables(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{([A-Z_]+)\}/g, (whole, name: string) => variables[name] ?? whole)
}

function requireExecutable(
  command: string,
  env: Environment,
  { manifest }: InstalledExtension,
): string {
  const isPath = command.includes('/')
  const candidates = isPath
    ? [resolve(command)]
    : (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, command))
  const found = candidates.find(isExecutable)
  if (found !== undefined) return found
  const how = manifest.install ? ` Install it with: ${manifest.install}` : ''
  const where = isPath ? `There is no program at ${command}.` : `"${command}" is not on the PATH.`
  throw new HubError('agent_not_installed', {
    message: `${manifest.name} is not installed. ${where}${how}`,
    extensionId: manifest.id,
    path: command,
    ...(manifest.agent.pathEnv ? { pathEnv: manifest.agent.pathEnv } : {}),
  })
}
