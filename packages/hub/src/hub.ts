// Opens the data directory, builds the hub's long-lived objects (hub-parts.ts), serves them, and closes them in reverse.
import { randomBytes } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import type { DestinationStream } from 'pino'
import { AcpEndpoint } from './acp/acp-endpoint.js'
import { createApi } from './api/api.js'
import { type Config, requireRoots } from './config/config.js'
import { within } from './deadline.js'
import { Credentials } from './http/access/credentials.js'
import { Gates } from './http/access/gates.js'
import { LoginCodes } from './http/access/login-codes.js'
import { Forwarding } from './http/forwarding.js'
import { openPort } from './http/port.js'
import { createHttpApp } from './http/server.js'
import { SecureHosts } from './http/access/secure-hosts.js'
import { SignIn, type SignInOptions } from './http/access/sign-in.js'
import { createFeedCommands } from './http/feeds/feed-commands.js'
import { Upgrades } from './http/feeds/upgrades.js'
import { rpcMethods } from './http/rpc.js'
import { type MessageEvents, type Middleware } from './message-hooks.js'
import { openCertificate } from './reach/certificate.js'
import { Previews } from './preview/previews.js'
import { Reach } from './reach/reach.js'
import { RemoteHosts } from './reach/remote-hosts.js'
import { createLog, type Log, logRejection } from './log.js'
import { lockDataDirectory } from './store/data-lock.js'
import { findStorageProblem } from './store/storage-error.js'
import { sweepTempFolders } from './temp-folders.js'
import { VERSION } from './version.js'
import { WEB_FOLDER } from './places.js'
import { buildParts, type HubParts } from './hub-parts.js'
import { type OpenedStore, openStore } from './hub-store.js'

export type Hub = {
  /** The address it listens on, such as `http://127.0.0.1:4444`. */
  readonly address: string
  /** The address with a new one-time code, which signs in the browser that opens it. */
  signInAddress(): string
  /** Observes prompts, JSON-RPC messages of WebSocket clients, and those of agents that start after this call. */
  on: EventEmitter<MessageEvents>['on']
  off: EventEmitter<MessageEvents>['off']
  /** Cancels all sessions, ends their agents and releases the data directory, in ten seconds at most. */
  stop(): Promise<void>
}

/** For a program that brings its own server, middleware or log. */
export type Embedding = {
  readonly server?: Server
  readonly middleware?: readonly Middleware[]
  /** Receives the lines of the log instead of stderr. */
  readonly logTo?: DestinationStream
}

/** The time for ending sessions, agents and the watchdog. */
const STOP_MS = 10_000
/** Processes that are left by then are killed. The remaining time is for storing the ends of their sessions. */
const KILL_AFTER_MS = 7_000

/** Opens the data directory, recovers from a crash, and listens. */
export async function createHub(config: Config, embedding: Embedding = {}): Promise<Hub> {
  requireRoots(config)
  const log = createLog(config.logLevel, embedding.logTo)
  const lock = lockDataDirectory(config.dataDir)
  let opened: OpenedStore | undefined
  try {
    opened = await openStore(config, log)
    return await serve({
      config,
      store: opened.store,
      closeStore: opened.close,
      lock,
      log,
      embedding,
    })
  } catch (error) {
    await opened?.close()
    lock.release()
    const problem = findStorageProblem(error)
    throw problem === undefined
      ? error
      : new Error(`The hub cannot start. ${problem}`, { cause: error })
  }
}

type HubDeps = {
  readonly config: Config
  readonly store: OpenedStore['store']
  readonly closeStore: OpenedStore['close']
  readonly lock: ReturnType<typeof lockDataDirectory>
  readonly log: Log
  readonly embedding: Embedding
}

/** A server that a program brings decides about TLS itself. */
function buildReach({ config, log, embedding }: HubDeps) {
  const certificate = embedding.server ? undefined : openCertificate(config)
  const remoteHosts = new RemoteHosts(config.dataDir, log)
  const reach = new Reach({ config, certificate, remoteHosts })
  const isTlsServer = certificate !== undefined
  const secureHosts = new SecureHosts(config.secureHostnames, remoteHosts, isTlsServer)
  return { certificate, reach, remoteHosts, secureHosts }
}

type SignInDeps = Pick<SignInOptions, 'secureHosts' | 'peerToken'> & {
  readonly credentials: Credentials
}

function buildSignIn({ store, config }: HubDeps, { credentials, ...options }: SignInDeps) {
  const localToken = randomBytes(32).toString('base64url')
  const automation = config.token === undefined ? {} : { automation: config.token }
  const codes = new LoginCodes(store.shared?.loginCodes)
  const tokens = { local: localToken, ...automation }
  return { localToken, signIn: new SignIn(credentials, tokens, { ...options, codes }) }
}

async function serve(deps: HubDeps): Promise<Hub> {
  const { config, store, closeStore, lock, log } = deps
  const { server } = deps.embedding
  const parts = await buildParts({ ...deps, middleware: deps.embedding.middleware })
  const { hooks } = parts
  const credentials = new Credentials(store, log)
  const { certificate, reach, remoteHosts, secureHosts } = buildReach(deps)
  const peerToken = parts.cluster?.token
  const { localToken, signIn } = buildSignIn(deps, { credentials, secureHosts, peerToken })
  const gates = new Gates([config.host, ...config.hostnames], signIn, config.origins)
  const facts = { dataDir: config.dataDir, version: VERSION, webFolder: WEB_FOLDER }
  const acp = new AcpEndpoint({ ...parts, version: VERSION })
  const requireHost = (request: IncomingMessage): void => gates.requireHost(request)
  const previews = new Previews({ ...parts, certificate, requireHost })
  const access = { acp, signIn, credentials, gates, reach, remoteHosts, previews }
  const objects = { ...parts, ...facts, ...access }
  const api = createApi(objects)
  const forwarding = parts.cluster && new Forwarding(parts.cluster)
  const methods = rpcMethods(api, createFeedCommands(objects), forwarding)
  const upgrades = new Upgrades({ ...objects, methods })
  const app = createHttpApp({ ...objects, api, forwarding }, () => upgrades.count)
  const port = await openPort({ app, upgrades, gates, config, certificate, server })
  const { address } = port
  reach.useAddress(address)
  signIn.nameCookie(store.shared?.clusterId ?? (new URL(address).port || '80'))
  lock.announce({ address, localToken, ...(certificate && { certificate: certificate.cert }) })
  await parts.cluster?.announce(address, certificate?.cert)
  beginUpkeep(parts, deps)

  return {
    address,
    signInAddress: () => `${config.externalUrl ?? address}/#code=${signIn.codes.mint().code}`,
    on: hooks.events.on.bind(hooks.events),
    off: hooks.events.off.bind(hooks.events),
    stop: lazy(async () => {
      for (const part of [port, previews, credentials]) part.close()
      closeFirst(parts)
      await within(parts.clones.close(), STOP_MS - KILL_AFTER_MS)
      await within(parts.recovery.close(), STOP_MS - KILL_AFTER_MS)
      await endAgents(parts, acp)
      port.end()
      await closeStore()
      lock.release()
      log.info('the hub has stopped')
    }),
  }
}

/** In the background, so that the first page does not wait. */
function beginUpkeep(parts: HubParts, { store, log }: HubDeps): void {
  const { recovery, retention, secrets, repos, clones, agents, workspaces, oldWorktrees } = parts
  const exists = async (id: string) => (await store.sessions.find(id)) !== undefined
  const swept = workspaces.sweep(oldWorktrees, exists)
  const finished = swept.then(() => parts.comparisons.finish(oldWorktrees))
  logRejection(log, 'removing work trees', finished)
  logRejection(log, 'following checks', parts.sessionChecks.resume(oldWorktrees))
  logRejection(log, 'closing sessions after a crash', recovery.run())
  logRejection(log, 'removing sessions', retention.finishRemovals())
  logRejection(log, 'removing unused secrets', secrets.sweep(exists))
  logRejection(log, 'removing unfinished clones', clones.sweep())
  logRejection(log, 'scanning repositories', repos.scan())
  logRejection(log, 'removing old temporary folders', sweepTempFolders())
  agents.pool.warmUp(agents.extensions.all)
  for (const part of parts.moves) part.begin()
}

/** The parts that begin nothing more when the hub stops. */
function closeFirst({ pushNotifier, sessionChecks, terminals, repos, ...hubs }: HubParts): void {
  for (const part of [pushNotifier, sessionChecks, terminals, repos]) part.close()
  for (const part of hubs.moves) part.close()
  hubs.cluster?.close()
}

/** All waits share one deadline, also those for agents that ignore signals. */
async function endAgents(
  { live, probes, agents, changes }: HubParts,
  acp: AcpEndpoint,
): Promise<void> {
  const ended = Promise.all([live.close(), probes.close()]).then(() =>
    Promise.all([agents.close(), acp.close(), changes.close()]),
  )
  // After the sessions have begun to end: otherwise a start that is aborted would be a failure of its session.
  agents.abortStarts()
  await within(ended, KILL_AFTER_MS, () => agents.kill())
  await within(ended, STOP_MS - KILL_AFTER_MS)
}

/** Runs at most once; later calls return the same promise. */
function lazy<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
