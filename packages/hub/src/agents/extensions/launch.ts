// From a manifest to what is spawned: the executable found, variables filled in, an environment from an allow-list.
import { delimiter, join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { HubError } from '../../errors.js'
import { isExecutable } from '../../process/executable.js'
import type { ChildCommand } from '../../process/agent-child.js'
import type { InstalledExtension } from './extensions.js'
import { fillArguments, fillText, type Variables } from './launch-variables.js'
import { type Environment, type SettingLayers, variablesOf } from './settings-values.js'

export type Launch = ChildCommand & {
  /** Still to be asked of the program itself: see `ArgsProbes`. */
  readonly argsProbe?: ArgsProbe
  /** For a person who signs in in a terminal. */
  readonly terminalArgs?: readonly string[]
}

/** Unless the program writes `contains` when it is run with `args`, it is to be started with `else`. */
export type ArgsProbe = {
  readonly args: readonly string[]
  readonly contains: string
  readonly else: readonly string[]
}

/** What every child may see of the hub's environment; a manifest's `inheritEnv` adds names. */
const INHERITED =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_.+|TZ|TERM|TMPDIR|XDG_.+|SSH_AUTH_SOCK|(HTTPS?|NO|ALL)_PROXY|(https?|no|all)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR))$/

/** Where an agent works, where the hub keeps its data, and the settings that were made. */
export type LaunchPlace = {
  readonly cwd: string
  readonly dataDir: string
  readonly settings?: SettingLayers
}

/** Pure but for looking whether the program is there. Throws `agent_not_installed` and `invalid_settings`. */
export function resolveLaunch(
  extension: InstalledExtension,
  { cwd, dataDir, settings = {} }: LaunchPlace,
  env: Environment,
): Launch {
  const { agent, auth } = extension.manifest
  const variables: Variables = {
    ...variablesOf(extension, settings, env),
    CWD: cwd,
    ...placeOf(extension, dataDir, env),
  }
  return {
    command: requireExecutable(extension, variables, env),
    args: fillArguments(agent.args, variables),
    env: {
      ...inheritedBy(extension, env),
      ...secretsFor(extension, settings),
      ...filledEnvironment(agent.env, variables),
    },
    cwd: fillText(agent.cwd, variables) ?? cwd,
    ...(auth.terminal && { terminalArgs: fillArguments(auth.terminal.args, variables) }),
    ...(agent.argsProbe && {
      argsProbe: { ...agent.argsProbe, else: fillArguments(agent.argsProbe.else, variables) },
    }),
  }
}

/** Whether a process of the one launch can serve the other: all but the folder it was started in. */
export function isSameLaunch(one: Launch, other: Launch): boolean {
  return isDeepStrictEqual({ ...one, cwd: '' }, { ...other, cwd: '' })
}

/** The path of the agent's program, if it is there. Settings do not matter for it. */
export function findProgram(
  extension: InstalledExtension,
  dataDir: string,
  env: Environment,
): string | undefined {
  return search(wantedProgram(extension, placeOf(extension, dataDir, env), env), env)
}

function placeOf({ folder }: InstalledExtension, dataDir: string, env: Environment): Variables {
  return { DATA_DIR: dataDir, NODE: process.execPath, EXTENSION_DIR: folder, HOME: env['HOME'] }
}

function inheritedBy(
  { manifest }: InstalledExtension,
  env: Environment,
): Readonly<Record<string, string>> {
  const { agent, auth } = manifest
  const named = new Set([...agent.inheritEnv, ...auth.env.map(({ name }) => name)])
  const seen = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (INHERITED.test(entry[0]) || named.has(entry[0])),
  )
  return Object.fromEntries(seen)
}

function secretsFor(
  { manifest }: InstalledExtension,
  { secrets = {} }: SettingLayers,
): Readonly<Record<string, string>> {
  const kept = manifest.auth.env.flatMap(({ name }) => {
    const secret = secrets[name]
    return secret === undefined ? [] : [[name, secret] as const]
  })
  return Object.fromEntries(kept)
}

function filledEnvironment(
  env: Readonly<Record<string, string>>,
  variables: Variables,
): Readonly<Record<string, string>> {
  const filled = Object.entries(env).flatMap(([name, text]) => {
    const value = fillText(text, variables)
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(filled)
}

function wantedProgram(
  { manifest: { agent } }: InstalledExtension,
  variables: Variables,
  env: Environment,
): string {
  return (
    (agent.pathEnv && env[agent.pathEnv]) || (fillText(agent.command, variables) ?? agent.command)
  )
}

function requireExecutable(
  extension: InstalledExtension,
  variables: Variables,
  env: Environment,
): string {
  const command = wantedProgram(extension, variables, env)
  const found = search(command, env)
  if (found !== undefined) return found
  const { manifest } = extension
  const from = manifest.website ? ` Get it from ${manifest.website}` : ''
  const how = manifest.install ? ` Install it with: ${manifest.install}` : from
  const where = command.includes('/')
    ? `There is no program at ${command}.`
    : `"${command}" is not on the PATH.`
  throw new HubError('agent_not_installed', {
    message: `${manifest.name} is not installed. ${where}${how}`,
    extensionId: manifest.id,
    path: command,
    ...(manifest.agent.pathEnv ? { pathEnv: manifest.agent.pathEnv } : {}),
  })
}

function search(command: string, env: Environment): string | undefined {
  const candidates = command.includes('/')
    ? [resolve(command)]
    : (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, command))
  return candidates.find(isExecutable)
}
