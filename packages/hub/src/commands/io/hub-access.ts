// The hub that a command uses: a remote one (--hub), the one that runs on the data directory, or a temporary one that ends with the
// command.
import { setTimeout as sleep } from 'node:timers/promises'
import { AgentChatClient, ClientError } from '@quayside/client'
import { streamResponse } from '@quayside/client/admin'
import type { Command } from 'commander'
import { WebSocket } from 'ws'
import { type Config, loadConfig } from '../../config/config.js'
import { COMMAND } from '../../places.js'
import { findLockHolder, type LockHolder } from '../../store/data-lock.js'
import type { CommandIo } from './command-io.js'
import { fetchTrusting, webSocketTrusting } from './trust-certificate.js'
import { CommandError, EXIT } from './exit-codes.js'

export type HubFlags = { readonly hub?: string; readonly token?: string }

export type HubAddress = {
  readonly address: string
  readonly token: string
  /** The one that a hub on this machine serves TLS with. */
  readonly certificate?: string | undefined
}

export class HubAccess implements AsyncDisposable {
  readonly address: string
  /** It ends with the command, so that no prompt can stay queued in it. */
  readonly isTemporary: boolean
  /** Paths of this machine mean nothing to it. */
  readonly isRemote: boolean
  readonly client: AgentChatClient
  readonly #token: string
  readonly #fetch: typeof globalThis.fetch
  readonly #stop: () => Promise<void>

  constructor(
    { address, token, certificate }: HubAddress,
    options: { isRemote?: boolean; stop?: () => Promise<void> },
  ) {
    this.address = address
    this.#token = token
    this.isTemporary = options.stop !== undefined
    this.isRemote = options.isRemote ?? false
    this.#stop = options.stop ?? (() => Promise.resolve())
    this.#fetch = certificate === undefined ? globalThis.fetch : fetchTrusting(certificate)
    this.client = new AgentChatClient({
      url: address,
      token,
      fetch: this.#fetch,
      WebSocket: certificate === undefined ? WebSocket : webSocketTrusting(certificate),
    })
  }

  /** A response that is too long to hold in memory, or that never ends. */
  stream(path: string, signal?: AbortSignal): ReturnType<typeof streamResponse> {
    const { address: url } = this
    return streamResponse(path, { url, token: this.#token, fetch: this.#fetch, signal })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.client.close()
    await this.#stop()
  }
}

export function addHubOption(command: Command): Command {
  return command
    .option('--hub <url>', 'a remote hub (default: the one on this machine) (env: QUAYSIDE_URL)')
    .option(
      '--token <token>',
      'token of the remote hub; better in QUAYSIDE_TOKEN, which other users cannot see',
    )
}

/** The remote hub, or the one that runs on this machine. */
export async function findHub(flags: HubFlags, io: CommandIo): Promise<HubAccess | undefined> {
  const remote = findRemote(flags, io)
  if (remote) return new HubAccess(remote, { isRemote: true })
  const { dataDir } = loadConfig({}, io.env, io.cwd)
  return findRunningHub(dataDir)
}

/** Like `findHub`, but throws when there is none. */
export async function requireHub(flags: HubFlags, io: CommandIo): Promise<HubAccess> {
  const hub = await findHub(flags, io)
  if (hub) return hub
  const { dataDir } = loadConfig({}, io.env, io.cwd)
  throw new CommandError(
    `No hub is running on ${dataDir}. Start one with: ${COMMAND} start --daemon`,
    EXIT.hubUnreachable,
  )
}

/** A running hub, or else a temporary one on the same data directory. */
export async function openHub(
  flags: HubFlags,
  io: CommandIo,
  roots?: readonly string[],
): Promise<HubAccess> {
  const hub = await findHub(flags, io)
  if (hub) return hub
  const config = loadConfig({}, io.env, io.cwd)
  // Only errors are logged, unless QUAYSIDE_LOG_LEVEL asks for more.
  const logLevel = io.env['QUAYSIDE_LOG_LEVEL'] ? config.logLevel : 'error'
  return startTemporaryHub({ ...config, ...(roots && { roots }), logLevel })
}

/** The hub that runs on a data directory. It must accept its own token: a killed hub may have left hub.json behind. */
export async function findRunningHub(dataDir: string): Promise<HubAccess | undefined> {
  const running = addressOf(await waitForAddress(dataDir))
  if (running === undefined) return undefined
  const hub = new HubAccess(running, {})
  try {
    await hub.client.me()
    return hub
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    return undefined
  }
}

/** Undefined until the hub listens. */
export function addressOf(holder: LockHolder | undefined): HubAddress | undefined {
  const { address, localToken: token, certificate } = holder ?? {}
  return address === undefined || token === undefined ? undefined : { address, token, certificate }
}

const STARTING_MS = 10_000
const POLL_MS = 100

/** Waits for a hub that is starting to write its address into hub.json. */
async function waitForAddress(dataDir: string) {
  const giveUpAt = performance.now() + STARTING_MS
  let holder = findLockHolder(dataDir)
  while (holder && holder.address === undefined && performance.now() < giveUpAt) {
    await sleep(POLL_MS)
    holder = findLockHolder(dataDir)
  }
  return holder
}

/** The remote hub that the flags or the environment name. Throws when there is no token for it. */
export function findRemote(
  { hub, token: given }: HubFlags,
  { env }: CommandIo,
): HubAddress | undefined {
  const url = hub ?? env['QUAYSIDE_URL']
  if (url === undefined) {
    if (given === undefined) return undefined
    throw new CommandError('--token is for a remote hub. Name the hub with --hub.', EXIT.usage)
  }
  if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url))
    throw new CommandError(
      `${url} is not the address of a hub. Use one such as http://127.0.0.1:4444.`,
      EXIT.usage,
    )
  const token = given ?? env['QUAYSIDE_TOKEN']
  if (!token)
    throw new CommandError(
      `There is no token for ${url}. Set QUAYSIDE_TOKEN; to make a token, run there: quayside token create --name ${process.platform}`,
      EXIT.usage,
    )
  return { address: new URL(url).origin, token }
}

async function startTemporaryHub(config: Config): Promise<HubAccess> {
  // Loaded on demand: most commands find a running hub.
  const { createHub } = await import('../../hub.js')
  const hub = await createHub({ ...config, host: '127.0.0.1', port: 0, tls: undefined })
  const { localToken: token = '' } = findLockHolder(config.dataDir) ?? {}
  return new HubAccess({ address: hub.address, token }, { stop: () => hub.stop() })
}
