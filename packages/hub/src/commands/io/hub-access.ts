// The hub a command talks to: a remote one (--hub), the one that runs on the data directory, or one of its own that ends with the command.
import { setTimeout as sleep } from 'node:timers/promises'
import { AgentChatClient, ClientError } from '@quayside/client'
import type { ErrorBody } from '@quayside/protocol'
import type { Command } from 'commander'
import { WebSocket } from 'ws'
import { type Config, loadConfig } from '../../config.js'
import { findLockHolder } from '../../store/data-lock.js'
import type { CommandIo } from './command-io.js'
import { CommandError, EXIT } from './exit-codes.js'

export type HubFlags = { readonly hub?: string; readonly token?: string }

const CALL_MS = 30_000
const DOWNLOAD_MS = 600_000

export type HubPlace = { readonly address: string; readonly token: string }

export class HubAccess implements AsyncDisposable {
  readonly address: string
  /** Ends with the command: nothing can wait in it. */
  readonly isOwn: boolean
  /** Paths of this machine mean nothing to it. */
  readonly isRemote: boolean
  readonly client: AgentChatClient
  readonly #token: string
  readonly #stop: () => Promise<void>

  constructor(
    { address, token }: HubPlace,
    kind: { isRemote?: boolean; stop?: () => Promise<void> },
  ) {
    this.address = address
    this.#token = token
    this.isOwn = kind.stop !== undefined
    this.isRemote = kind.isRemote ?? false
    this.#stop = kind.stop ?? (() => Promise.resolve())
    this.client = new AgentChatClient({ url: address, token, WebSocket })
  }

  /** For what the client has no function. Throws the hub's error. */
  async call<T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<T> {
    const response = await this.#fetch(path, {
      method,
      signal: AbortSignal.timeout(CALL_MS),
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return (text === '' ? undefined : JSON.parse(text)) as T
  }

  /** What is too long to hold. */
  download(path: string): Promise<NonNullable<Response['body']>> {
    return this.stream(path, AbortSignal.timeout(DOWNLOAD_MS))
  }

  /** What goes on until somebody ends it. */
  async stream(path: string, signal?: AbortSignal): Promise<NonNullable<Response['body']>> {
    const { body } = await this.#fetch(path, signal ? { signal } : {})
    return body ?? new ReadableStream()
  }

  async #fetch(path: string, request: RequestInit): Promise<Response> {
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' }
    const response = await fetch(new URL(path, this.address), { ...request, headers }).catch(
      (cause: unknown) => {
        throw new ClientError('unreachable', `The hub at ${this.address} does not answer.`, {
          cause,
        })
      },
    )
    if (response.ok) return response
    throw this.#errorOf(response.status, await response.text())
  }

  /** What stands between may answer in its own words. */
  #errorOf(status: number, text: string): ClientError {
    try {
      const { code, message, details } = (JSON.parse(text) as ErrorBody).error
      return new ClientError(code, message, { details })
    } catch (cause) {
      const message = `${this.address} answered with status ${status}, and not as a hub does.`
      return new ClientError('internal', message, { cause })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.client.close()
    await this.#stop()
  }
}

export function addHubOption(command: Command): Command {
  return command
    .option('--hub <url>', 'a hub elsewhere (default: the one of this machine) (env: QUAYSIDE_URL)')
    .option('--token <token>', 'its token; in QUAYSIDE_TOKEN others on this machine do not see it')
}

/** The hub elsewhere, or the one that runs on this machine. */
export async function findHub(flags: HubFlags, io: CommandIo): Promise<HubAccess | undefined> {
  const remote = findRemote(flags, io)
  if (remote) return new HubAccess(remote, { isRemote: true })
  const { dataDir } = loadConfig({}, io.env, io.cwd)
  return findRunningHub(dataDir)
}

/** The same. Throws when there is none. */
export async function requireHub(flags: HubFlags, io: CommandIo): Promise<HubAccess> {
  const hub = await findHub(flags, io)
  if (hub) return hub
  const { dataDir } = loadConfig({}, io.env, io.cwd)
  throw new CommandError(
    `No hub is running on ${dataDir}. Start one with: quayside start --daemon`,
    EXIT.hubUnreachable,
  )
}

/** A hub that runs already, or one of this command's own on the same data directory. */
export async function openHub(
  flags: HubFlags,
  io: CommandIo,
  roots?: readonly string[],
): Promise<HubAccess> {
  const hub = await findHub(flags, io)
  if (hub) return hub
  const config = loadConfig({}, io.env, io.cwd)
  // Its log is for what goes wrong, unless somebody wants more of it.
  const logLevel = io.env['QUAYSIDE_LOG_LEVEL'] ? config.logLevel : 'error'
  return startOwnHub({ ...config, ...(roots && { roots }), logLevel })
}

/** The hub that works in a data directory, proven by its own token: a note that a killed one left behind is none. */
export async function findRunningHub(dataDir: string): Promise<HubAccess | undefined> {
  const holder = await settledHolder(dataDir)
  if (holder?.address === undefined || holder.localToken === undefined) return undefined
  const hub = new HubAccess({ address: holder.address, token: holder.localToken }, {})
  try {
    await hub.call('GET', '/api/me')
    return hub
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    return undefined
  }
}

const STARTING_MS = 10_000
const LOOK_AGAIN_MS = 100

/** One that is just starting gets a moment to say where it listens. */
async function settledHolder(dataDir: string) {
  const giveUpAt = performance.now() + STARTING_MS
  let holder = findLockHolder(dataDir)
  while (holder && holder.address === undefined && performance.now() < giveUpAt) {
    await sleep(LOOK_AGAIN_MS)
    holder = findLockHolder(dataDir)
  }
  return holder
}

/** The hub elsewhere that the flags or the environment name. Throws when there is no token for it. */
export function findRemote(
  { hub, token: given }: HubFlags,
  { env }: CommandIo,
): HubPlace | undefined {
  const url = hub ?? env['QUAYSIDE_URL']
  if (url === undefined) {
    if (given === undefined) return undefined
    throw new CommandError('--token is for a hub elsewhere: say which with --hub.', EXIT.usage)
  }
  if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url))
    throw new CommandError(`--hub is an address such as http://127.0.0.1:4444.`, EXIT.usage)
  const token = given ?? env['QUAYSIDE_TOKEN']
  if (!token)
    throw new CommandError(
      `Set QUAYSIDE_TOKEN to a token of ${url}. There, make one with: quayside token create --name ${process.platform}`,
      EXIT.usage,
    )
  return { address: new URL(url).origin, token }
}

async function startOwnHub(config: Config): Promise<HubAccess> {
  // Most commands find a hub that runs; only one that starts its own pays for loading it.
  const { createHub } = await import('../../hub.js')
  const hub = await createHub({ ...config, host: '127.0.0.1', port: 0 })
  const { localToken: token = '' } = findLockHolder(config.dataDir) ?? {}
  return new HubAccess({ address: hub.address, token }, { stop: () => hub.stop() })
}
