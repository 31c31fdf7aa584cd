// The hub as a library: `import { createHub } from 'quayside'`.
import type { Server } from 'node:http'
import { loadConfig } from './config/config.js'
import { createHub as openHub, type Hub } from './hub.js'
import type { Middleware } from './message-hooks.js'

export { ConfigError } from './config/config.js'
export type { Hub } from './hub.js'
export type { AgentMessage, ClientMessage, ClientPrompt, Middleware } from './message-hooks.js'

export type HubOptions = {
  /** 0 takes any free port. Default: 4444. */
  readonly port?: number
  readonly host?: string
  /** The folders that are searched for repositories. Default: the current folder. */
  readonly roots?: readonly string[]
  readonly dataDir?: string
  /** A bearer token for programs. */
  readonly token?: string
  /** Any other setting, by the name of its environment variable, such as `AGENT_MAX_SESSIONS`. */
  readonly settings?: Readonly<Record<string, string>>
  /** Serves on this server instead of one of its own; whatever else that serves goes on. */
  readonly server?: Server
  readonly middleware?: readonly Middleware[]
}

/** Opens the data directory, puts right what a crash left, and serves. Throws `ConfigError` for a wrong option. */
export function createHub(options: HubOptions = {}): Promise<Hub> {
  const { port, host, roots, dataDir, token, settings, server, middleware } = options
  const flags = {
    ...(port === undefined ? {} : { port: String(port) }),
    ...(host === undefined ? {} : { host }),
    ...(roots === undefined ? {} : { root: roots.join(':') }),
  }
  const env = {
    ...process.env,
    ...settings,
    ...(dataDir === undefined ? {} : { QUAYSIDE_DATA_DIR: dataDir }),
    ...(token === undefined ? {} : { QUAYSIDE_TOKEN: token }),
  }
  return openHub(loadConfig(flags, env, process.cwd()), {
    ...(server && { server }),
    ...(middleware && { middleware }),
  })
}
