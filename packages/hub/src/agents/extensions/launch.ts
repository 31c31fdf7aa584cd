// Resolves a manifest to a command to spawn: finds the executable, fills in variables, and builds the environment from an
// allow-list.
import { existsSync, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { HubError } from '../../errors.js'
import { isExecutable } from '../../process/executable.js'
import type { ChildCommand } from '../../process/agent-child.js'
import type { InstalledExtension } from './extensions.js'
import type { Manifest } from './manifest.js'
import { mergeVariable } from './merge-env.js'
import { fillArguments, fillEntries, fillText, type Variables } from './launch-variables.js'
import {
  type Environment,
  type Service,
  servicesOf,
  type SettingLayers,
  variablesOf,
} from './settings-values.js'

export type Launch = ChildCommand & {
  /** Services of the hub that the agent may use. */
  readonly services?: readonly Service[]
  /** Resolved later, by running the program: see `ArgsProbes`. */
  readonly argsProbe?: ArgsProbe
  /** For the list of processes. */
  readonly labels?: Readonly<Record<string, string>>
  /** For signing in from a terminal. */
  readonly terminalArgs?: readonly string[]
}

/** Run with `args`, the program writes `contains`, or it must be started with `else`. */
export type ArgsProbe = {
  readonly args: readonly string[]
  readonly contains: string
  readonly else: readonly string[]
}

/** Variables of the hub's environment that every agent inherits; a manifest's `inheritEnv` adds names. */
const INHERITED =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_.+|TZ|TERM|TMPDIR|XDG_.+|SSH_AUTH_SOCK|(HTTPS?|NO|ALL)_PROXY|(https?|no|all)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR))$/

export type LaunchOptions = {
  readonly cwd: string
  readonly dataDir: string
  readonly settings?: SettingLayers
}

/** Pure, except for the search for the program. Throws `agent_not_installed` and `invalid_settings`. */
export function resolveLaunch(
  extension: InstalledExtension,
  { cwd, dataDir, settings = {} }: LaunchOptions,
  env: Environment,
): Launch {
  const { agent, auth } = extension.manifest
  const services = servicesOf(extension, settings, env)
  const variables: Variables = {
    ...variablesOf(extension, settings, env),
    CWD: cwd,
    ...folderVariables(extension, dataDir, env),
  }
  const inherited = inheritedBy(extension, env)
  return {
    command: requireExecutable(extension, variables, env),
    args: fillArguments(agent.args, variables),
    env: {
      ...inherited,
      ...secretsFor(extension, settings),
      ...filledEnvironment(agent, variables, inherited),
    },
    cwd: fillText(agent.cwd, variables) ?? cwd,
    ...(Object.keys(agent.labels).length > 0 && { labels: fillEntries(agent.labels, variables) }),
    ...(services.length > 0 && { services }),
    ...(auth.terminal && { terminalArgs: fillArguments(auth.terminal.args, variables) }),
    ...(agent.argsProbe && {
      argsProbe: { ...agent.argsProbe, else: fillArguments(agent.argsProbe.else, variables) },
    }),
  }
}

/** True when a process of one launch can serve the other: only the working folder and the labels may differ. */
export function isSameLaunch(one: Launch, other: Launch): boolean {
  const common = { cwd: '', labels: {} }
  return isDeepStrictEqual({ ...one, ...common }, { ...other, ...common })
}

/** The path of the agent's program. Does not depend on settings. */
export function findProgram(
  extension: InstalledExtension,
  dataDir: string,
  env: Environment,
): string | undefined {
  return search(wantedProgram(extension, folderVariables(extension, dataDir, env), env), env)
}

function folderVariables(
  { folder }: InstalledExtension,
  dataDir: string,
  env: Environment,
): Variables {
  return { DATA_DIR: dataDir, NODE: process.execPath, EXTENSION_DIR: folder, HOME: env['HOME'] }
}

function inheritedBy(
  { manifest }: InstalledExtension,
  env: Environment,
): Readonly<Record<string, string>> {
  const { agent, auth } = manifest
  const keys = auth.env.map(({ name }) => name)
  const named = new Set([...agent.inheritEnv, ...agent.mergeEnv, ...keys])
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
  { env, mergeEnv }: Manifest['agent'],
  variables: Variables,
  inherited: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const filled = Object.entries(fillEntries(env, variables)).map(([name, value]) => {
    const below = mergeEnv.includes(name) ? inherited[name] : undefined
    return [name, below ? mergeVariable(name, value, below) : value] as const
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
  throw new HubError('agent_not_installed', {
    message: describeMissing(extension, command),
    extensionId: manifest.id,
    path: command,
    ...(manifest.agent.pathEnv ? { pathEnv: manifest.agent.pathEnv } : {}),
  })
}

function describeMissing({ manifest }: InstalledExtension, command: string): string {
  const { name, website, install } = manifest
  const isPath = command.includes('/')
  if (isPath && existsSync(command))
    return statSync(command).isFile()
      ? `${name} cannot be started: ${command} is not executable. Allow it with: chmod +x ${command}`
      : `${name} cannot be started: ${command} is a folder, not a program.`
  const where = isPath ? `There is no program at ${command}.` : `"${command}" is not on the PATH.`
  const from = website ? ` Get it from ${website}` : ''
  return `${name} is not installed. ${where}${install ? ` Install it with: ${install}` : from}`
}

function search(command: string, env: Environment): string | undefined {
  const candidates = command.includes('/')
    ? [resolve(command)]
    : (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, command))
  return candidates.find(isExecutable)
}
