// The hub's settings. Flags win over the environment, and the environment wins over config.json in the data directory.
// Each setting has one name, that of its environment variable. An invalid value prevents the start.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { homedir, hostname } from 'node:os'
import { join, resolve } from 'node:path'
import {
  ConfigError,
  integer,
  minutes,
  oneOf,
  patience,
  seconds,
  type Value,
  wrong,
} from './config-values.js'
import { readVolumes, rootFolders, type Volume } from './volumes.js'

export { ConfigError }

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export type Config = {
  readonly port: number
  readonly host: string
  readonly insecureHttp: boolean
  /** The hub serves TLS, with a certificate of its own or the given one. */
  readonly tls: 'own' | GivenCertificate | undefined
  readonly dataDir: string
  readonly roots: readonly string[]
  readonly token: string | undefined
  readonly extensionFolders: readonly string[]
  /** The agent of sessions that name none. Checked by `requireKnownAgent` once the extensions are loaded. */
  readonly agent: string | undefined
  readonly trust: 'root' | 'ask'
  /** Of sessions whose repository has no setting for it. */
  readonly workspace: 'shared' | 'worktree'
  readonly maxSessions: number
  readonly permissionTimeoutMs: number
  readonly cancelGraceMs: number
  readonly promptSilenceMs: number
  readonly startTimeoutMs: number
  readonly idleTimeoutMs: number
  /** Further host names of the hub: behind a proxy, in a private network. */
  readonly hostnames: readonly string[]
  /** Those of them that a TLS proxy serves. */
  readonly secureHostnames: readonly string[]
  /** The address of the hub behind a proxy, for people and their other devices; its name is a host name too. */
  readonly externalUrl: string | undefined
  /** Other pages that may use the hub with a token. */
  readonly origins: readonly string[]
  readonly wireLog: boolean
  readonly logLevel: LogLevel
  readonly durability: 'full' | 'normal'
  /** The address of a PostgreSQL database, which may contain a password; undefined for the SQLite file. */
  readonly database: string | undefined
  /** The name of this machine among hubs that share a database. */
  readonly name: string
  /** Folders that hubs on several machines have, by a name. They are root folders too. */
  readonly volumes: readonly Volume[]
  /** Of a hub on PostgreSQL. No setting: tests shorten it. */
  readonly leaseMs?: number
  /** The address for other hubs; undefined for the one that it listens on. */
  readonly peerAddress: string | undefined
  /** Self-hosted push services, which may be in a private network. */
  readonly pushOrigins: readonly string[]
  /** Agents' variables from config.json. Checked by `requireKnownSettings` once the extensions are loaded. */
  readonly agentEnv: Readonly<Record<string, string>>
}

export type GivenCertificate = { readonly certFile: string; readonly keyFile: string }

/** Settings that have a command line flag. */
export type ConfigFlags = {
  readonly port?: string
  readonly host?: string
  readonly root?: string
  readonly insecureHttp?: boolean
  readonly tls?: boolean
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly database?: string
  readonly name?: string
  readonly volumes?: string
}

type Environment = Readonly<Record<string, string | undefined>>

const CONFIG_FILE = 'config.json'
const AGENT = 'QUAYSIDE_AGENT'
/** A password in it is visible in the environment of the hub alone, unlike one in its arguments. */
export const DATABASE = 'QUAYSIDE_DATABASE_URL'

export function loadConfig(flags: ConfigFlags, env: Environment, cwd: string): Config {
  const dataDir = resolve(cwd, env['QUAYSIDE_DATA_DIR'] || defaultDataDir(env))
  const file = readConfigFile(join(dataDir, CONFIG_FILE))
  const find = (...names: string[]): Value | undefined => {
    for (const name of names) if (env[name]) return { name, text: env[name] }
    for (const name of names) if (file[name]) return { name, text: file[name] }
    return undefined
  }
  const flag = (name: string, text: string | undefined): Value | undefined =>
    text === undefined ? undefined : { name, text }

  const roots = flag('--root', flags.root) ?? find('AGENT_WORKSPACE_ROOT')
  const volumes = readVolumes(flag('--volumes', flags.volumes) ?? find('QUAYSIDE_VOLUMES'), cwd)
  const config: Config = {
    port: integer(flag('--port', flags.port) ?? find('GEMINI_PORT', 'PORT'), 4444, [0, 65_535]),
    host: (flag('--host', flags.host) ?? find('QUAYSIDE_HOST'))?.text ?? '127.0.0.1',
    insecureHttp: flags.insecureHttp ?? false,
    tls: tls(
      flags.tls === true || oneOf(find('QUAYSIDE_TLS'), ['0', '1'] as const, '0') === '1',
      [
        flag('--tls-cert', flags.tlsCert) ?? find('QUAYSIDE_TLS_CERT'),
        flag('--tls-key', flags.tlsKey) ?? find('QUAYSIDE_TLS_KEY'),
      ],
      cwd,
    ),
    dataDir,
    roots: rootFolders(roots, volumes, cwd),
    token: token(find('QUAYSIDE_TOKEN')),
    extensionFolders: folders(find('QUAYSIDE_EXTENSIONS'), cwd),
    agent: find(AGENT)?.text,
    trust: oneOf(find('QUAYSIDE_TRUST'), ['root', 'ask'] as const, 'root'),
    workspace: oneOf(find('QUAYSIDE_WORKSPACE'), ['shared', 'worktree'] as const, 'shared'),
    maxSessions: integer(find('AGENT_MAX_SESSIONS'), 5, [1, 1000]),
    ...times(find),
    ...addresses(find),
    origins: origins(find('QUAYSIDE_ORIGINS')),
    wireLog: oneOf(find('QUAYSIDE_WIRE_LOG'), ['0', '1'] as const, '0') === '1',
    logLevel: oneOf(find('QUAYSIDE_LOG_LEVEL'), LOG_LEVELS, 'info'),
    durability: oneOf(find('QUAYSIDE_DURABILITY'), ['full', 'normal'] as const, 'full'),
    database: database(flag('--database', flags.database) ?? find(DATABASE)),
    name: machineName(flag('--name', flags.name) ?? find('QUAYSIDE_NAME')),
    volumes,
    pushOrigins: origins(find('QUAYSIDE_PUSH_ORIGINS')),
    agentEnv: agentEnv(file),
  }
  requireSafeHost(config)
  return config
}

/** Settings that config.json may contain. The data directory is not one, because the file is inside it. */
const SETTINGS: readonly string[] = [
  'GEMINI_PORT',
  'PORT',
  'QUAYSIDE_HOST',
  'QUAYSIDE_TLS',
  'QUAYSIDE_TLS_CERT',
  'QUAYSIDE_TLS_KEY',
  'AGENT_WORKSPACE_ROOT',
  'QUAYSIDE_TOKEN',
  'QUAYSIDE_EXTENSIONS',
  AGENT,
  'QUAYSIDE_TRUST',
  'QUAYSIDE_WORKSPACE',
  'AGENT_MAX_SESSIONS',
  'AGENT_PERMISSION_TIMEOUT',
  'AGENT_CANCEL_GRACE',
  'AGENT_PROMPT_SILENCE',
  'AGENT_START_TIMEOUT',
  'AGENT_SESSION_IDLE_TIMEOUT',
  'QUAYSIDE_HOSTNAMES',
  'QUAYSIDE_EXTERNAL_URL',
  'QUAYSIDE_ORIGINS',
  'QUAYSIDE_WIRE_LOG',
  'QUAYSIDE_LOG_LEVEL',
  'QUAYSIDE_DURABILITY',
  DATABASE,
  'QUAYSIDE_NAME',
  'QUAYSIDE_VOLUMES',
  'QUAYSIDE_PEER_ADDRESS',
  'QUAYSIDE_PUSH_ORIGINS',
]

function defaultDataDir(env: Environment): string {
  if (env['XDG_DATA_HOME']) return join(env['XDG_DATA_HOME'], 'quayside')
  return process.platform === 'darwin'
    ? join(homedir(), 'Library', 'Application Support', 'Quayside')
    : join(homedir(), '.local', 'share', 'quayside')
}

function readConfigFile(path: string): Environment {
  if (!existsSync(path)) return {}
  let parsed: unknown
  try {
    parsed = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new ConfigError(`${path} is not valid JSON. Correct or remove it.`, { cause })
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new ConfigError(`${path} must hold one JSON object, such as { "GEMINI_PORT": 4444 }.`)
  return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, String(value)]))
}

function agentEnv(file: Environment): Record<string, string> {
  const entries = Object.entries(file).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !SETTINGS.includes(entry[0]),
  )
  return Object.fromEntries(entries)
}

/** Throws when a root is not a folder: a mistyped one would look like a workspace without repositories. */
export function requireRoots({ roots }: Pick<Config, 'roots'>): void {
  for (const root of roots) {
    const problem = problemOfRoot(root)
    if (problem !== undefined) throw new ConfigError(problem)
  }
}

/** Undefined for a folder. */
export function problemOfRoot(root: string): string | undefined {
  const isThere = existsSync(root)
  if (isThere && statSync(root).isDirectory()) return undefined
  const reason = isThere ? 'is not a folder' : 'does not exist'
  return `The root folder ${root} ${reason}. Set another with --root or AGENT_WORKSPACE_ROOT.`
}

/** Throws when `agentEnv` contains a variable that no extension knows. */
export function requireKnownSettings(config: Config, known: ReadonlySet<string>): void {
  const unknown = Object.keys(config.agentEnv).filter((name) => !known.has(name))
  if (unknown.length === 0) return
  throw new ConfigError(
    `${join(config.dataDir, CONFIG_FILE)} has settings that do not exist: ${unknown.join(', ')}. ` +
      `Known are ${SETTINGS.join(', ')}, and the variables of agents.`,
  )
}

/** Throws when the agent of QUAYSIDE_AGENT cannot be started. */
export function requireKnownAgent({ agent }: Config, known: readonly string[]): void {
  if (agent !== undefined && !known.includes(agent))
    throw wrong({ name: AGENT, text: agent }, `one of ${known.join(', ')}`)
}

function token(value: Value | undefined): string | undefined {
  if (value && value.text.length < 16)
    throw new ConfigError(`${value.name} is too short; use at least 16 characters.`)
  return value?.text
}

/** The error does not repeat the value, which may contain a password. */
function database(value: Value | undefined): string | undefined {
  if (value === undefined) return undefined
  if (!/^postgres(ql)?:\/\//.test(value.text))
    throw new ConfigError(`${value.name} must be an address such as postgres://name@host/database.`)
  if (value.name.startsWith('--') && /^\w+:\/\/[^/@]*:[^/@]*@|[?&]password=/.test(value.text))
    throw new ConfigError(
      `${value.name} contains a password, and other users of this machine can read arguments. ` +
        `Put the address into ${DATABASE} or config.json, or the password into PGPASSWORD or ~/.pgpass.`,
    )
  return value.text
}

type Find = (name: string) => Value | undefined

function times(find: Find) {
  return {
    permissionTimeoutMs: patience(find('AGENT_PERMISSION_TIMEOUT')),
    cancelGraceMs: seconds(find('AGENT_CANCEL_GRACE'), 5),
    promptSilenceMs: seconds(find('AGENT_PROMPT_SILENCE'), 60),
    idleTimeoutMs: minutes(find('AGENT_SESSION_IDLE_TIMEOUT'), 30),
    startTimeoutMs: seconds(find('AGENT_START_TIMEOUT'), 60),
  }
}

/** A name with `https://` before it is served by a TLS proxy. */
function addresses(
  find: Find,
): Pick<Config, 'hostnames' | 'secureHostnames' | 'externalUrl' | 'peerAddress'> {
  const value = find('QUAYSIDE_HOSTNAMES')
  const external = originUrl(find('QUAYSIDE_EXTERNAL_URL'))
  const peer = originUrl(find('QUAYSIDE_PEER_ADDRESS'))
  const listed = (value?.text ?? '').toLowerCase().split(',').filter(Boolean)
  const hosts = listed.map((entry) => /^(https:\/\/)?([a-z0-9-]+(?:\.[a-z0-9-]+)*)$/.exec(entry))
  const names = hosts.flatMap((host) => host?.[2] ?? [])
  if (value && names.length < listed.length)
    throw wrong(
      value,
      'names such as studio.example.com or https://studio.example.com with commas between, without ports',
    )
  const secure = hosts.flatMap((host) => (host?.[1] ? (host[2] ?? []) : []))
  if (external) names.push(external.hostname)
  if (external?.protocol === 'https:') secure.push(external.hostname)
  if (peer) names.push(peer.hostname)
  const urls = { externalUrl: external?.origin, peerAddress: peer?.origin }
  return { hostnames: names, secureHostnames: secure, ...urls }
}

/** People read it in lists, and commands name a machine by it. */
function machineName(value: Value | undefined): string {
  if (!value) return hostname()
  if (/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(value.text)) return value.text
  throw wrong(value, 'a name of letters, digits, dots, dashes and underscores, such as studio')
}

function originUrl(value: Value | undefined): URL | undefined {
  if (!value) return undefined
  const url = URL.canParse(value.text) ? new URL(value.text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url
  throw wrong(value, 'an address such as https://studio.example.com, without a path')
}

/** A given certificate is used without a further setting. */
function tls(
  isWanted: boolean,
  [cert, key]: readonly [Value | undefined, Value | undefined],
  cwd: string,
): Config['tls'] {
  if (cert && key) return { certFile: resolve(cwd, cert.text), keyFile: resolve(cwd, key.text) }
  const alone = cert ?? key
  if (alone)
    throw new ConfigError(
      `${alone.name} is set without its other half. A certificate needs --tls-cert and --tls-key.`,
    )
  return isWanted ? 'own' : undefined
}

function folders(value: Value | undefined, cwd: string): readonly string[] {
  if (!value) return []
  const folder = resolve(cwd, value.text)
  if (!existsSync(join(folder, 'extensions.json')))
    throw wrong(value, 'a folder that holds an extensions.json')
  return [folder]
}

function origins(value: Value | undefined): readonly string[] {
  if (!value) return []
  const given = value.text.split(',').map((part) => part.trim())
  if (given.every((part) => URL.canParse(part) && new URL(part).origin === part)) return given
  throw wrong(value, 'a list of origins such as https://studio.example.com, with commas between')
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])

function requireSafeHost(config: Config): void {
  if (LOOPBACK.has(config.host) || config.insecureHttp || config.tls) return
  throw new ConfigError(
    `The hub would listen on ${config.host}, beyond this machine, without TLS. ` +
      `Add --tls, put a TLS proxy in front of 127.0.0.1, or add --insecure-http if this network is yours alone.`,
  )
}
