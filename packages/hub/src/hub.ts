// Builds the hub's long-lived objects once, in order, and closes them in reverse. AgentRuntime builds those that agents
// share.
import { randomBytes } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { join } from 'node:path'
import type { DestinationStream } from 'pino'
import { AcpEndpoint } from './acp/acp-endpoint.js'
import { createApi } from './api/api.js'
import { sweepOrphans } from './process/process-sweep.js'
import { openHubId } from './process/process-tag.js'
import { terminalProcesses } from './terminals/people/terminal-processes.js'
import { type Config, requireRoots } from './config.js'
import { within } from './deadline.js'
import { Credentials } from './http/access/credentials.js'
import { Gates } from './http/access/gates.js'
import { openPort } from './http/port.js'
import { createHttpApp } from './http/server.js'
import { SecureHosts } from './http/access/secure-hosts.js'
import { SignIn } from './http/access/sign-in.js'
import { createFeedCommands } from './http/feeds/feed-commands.js'
import { Upgrades } from './http/feeds/upgrades.js'
import { rpcMethods } from './http/rpc.js'
import { type MessageEvents, MessageHooks, type Middleware } from './message-hooks.js'
import { PushNotifier } from './push/push-notifier.js'
import { PushSender } from './push/push-sender.js'
import { PushSubscriptions } from './push/push-subscriptions.js'
import { VapidKeys } from './push/vapid-keys.js'
import { VisiblePages } from './push/visible-pages.js'
import { createLog, type Log, logRejection } from './log.js'
import { AgentRuntime } from './agents/agent-runtime.js'
import { Probes } from './agents/probe/probes.js'
import { RepoTrust } from './repos/repo-trust.js'
import { Repos } from './repos/repos.js'
import { EventLog } from './sessions/log/event-log.js'
import { FollowRanges } from './sessions/log/follow-ranges.js'
import { Projection } from './sessions/log/projection.js'
import { recoverSessions } from './sessions/upkeep/recovery.js'
import { Retention } from './sessions/upkeep/retention.js'
import { SessionChanges } from './sessions/changes/session-changes.js'
import { SessionLister } from './sessions/reading/session-list.js'
import { SessionReader } from './sessions/reading/session-reader.js'
import { Sessions } from './sessions/sessions.js'
import { Timelines } from './sessions/reading/timeline.js'
import { lockDataDirectory } from './store/data-lock.js'
import { closeDatabase, type Database, openDatabase } from './store/sqlite/database.js'
import { DATABASE_FILE, makeOwnFolder, SNAPSHOTS_FOLDER } from './store/data-files.js'
import { MediaStore } from './store/media.js'
import { sqliteStore } from './store/sqlite/sqlite-store.js'
import { findStorageProblem } from './store/storage-error.js'
import type { Store } from './store/store.js'
import { copyBeforeMigration } from './store/backup/migration-copy.js'
import { migrateUp } from './store/sqlite/migrations.js'
import { finishRestore } from './store/backup/restore-swap.js'
import { sweepTempFolders } from './temp-folders.js'
import { PeopleTerminals } from './terminals/people/people-terminals.js'
import { VERSION } from './version.js'
import { WEB_FOLDER } from './places.js'

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
  let db: Database | undefined
  try {
    finishRestore(config.dataDir)
    db = openDatabase(join(config.dataDir, DATABASE_FILE), config)
    copyBeforeMigration(db, config.dataDir)
    migrateUp(db)
    return await serve({ config, db, store: sqliteStore(db), lock, log, embedding })
  } catch (error) {
    if (db) closeDatabase(db)
    lock.release()
    const problem = findStorageProblem(error)
    throw problem === undefined
      ? error
      : new Error(`The hub cannot start. ${problem}`, { cause: error })
  }
}

type HubDeps = {
  readonly config: Config
  readonly db: Database
  readonly store: Store
  readonly lock: ReturnType<typeof lockDataDirectory>
  readonly log: Log
  readonly embedding: Embedding
}

/** The long-lived objects, in the order of their dependencies. */
async function build({ config, store, log, embedding }: HubDeps) {
  const hubId = openHubId(config.dataDir)
  await sweepOrphans(hubId, log)
  const projection = new Projection(store.events)
  const eventLog = new EventLog({ store: store.events, projection, log })
  await recoverSessions(store.sessions, eventLog, log)

  const hooks = new MessageHooks(embedding.middleware)
  const agents = new AgentRuntime({ config, hubId, hooks, log })
  agents.requireValidEnvironment()
  const probes = new Probes(agents)
  const repos = new Repos({ store: store.repos, roots: config.roots, log })
  const reader = new SessionReader({ store, projection, eventLog })
  const mediaFolder = join(config.dataDir, 'media')
  const media = new MediaStore(store.media, mediaFolder)
  const core = { config, eventLog, agents, media, repos, reader, hooks, log }
  const snapshotsFolder = makeOwnFolder(config.dataDir, SNAPSHOTS_FOLDER)
  const configPaths = () => agents.extensions.configPaths
  const trust = new RepoTrust({ store: store.repos, mode: config.trust, configPaths, log })
  const changes = new SessionChanges({ store, folder: snapshotsFolder, eventLog, log })
  const isRemoved = (id: string): boolean => retention.isRemoved(id)
  const sessions: Sessions = new Sessions({ ...core, projection, trust, changes, isRemoved })
  const isInUse = (id: string): boolean => sessions.isInUse(id)
  const onRemoved = (id: string): void => eventLog.endRemoved(id)
  const retention = new Retention({ store, mediaFolder, snapshotsFolder, isInUse, onRemoved })
  const lister = new SessionLister(store, projection)
  const timelines = new Timelines({ store: store.sessions, eventLog, projection })
  const ranges = new FollowRanges(store)
  const { dataDir } = config
  const processes = terminalProcesses(log)
  const terminals = new PeopleTerminals({ dataDir, repos, processes, log })
  await terminals.findAll()
  const lists = { retention, lister, timelines, ranges }
  const push = buildPush({ config, store, eventLog, lister, log })
  const parts = { ...core, probes, sessions, trust, changes, terminals }
  return { ...parts, ...lists, ...push }
}

type PushDeps = Pick<HubDeps, 'config' | 'store' | 'log'> & {
  readonly eventLog: EventLog
  readonly lister: SessionLister
}

function buildPush({ config, store, ...deps }: PushDeps) {
  const pushKeys = new VapidKeys(config.dataDir)
  const sender = new PushSender(pushKeys, config.pushOrigins)
  const subscriptions = new PushSubscriptions(store.credentials)
  const visiblePages = new VisiblePages()
  const pushNotifier = new PushNotifier({ ...deps, subscriptions, visiblePages, sender })
  return { pushKeys, sender, subscriptions, visiblePages, pushNotifier }
}

async function serve(deps: HubDeps): Promise<Hub> {
  const { config, db, store, lock, log } = deps
  const { server } = deps.embedding
  const parts = await build(deps)
  const { agents, hooks, repos, retention, terminals } = parts
  const localToken = randomBytes(32).toString('base64url')
  const credentials = new Credentials(store.credentials, log)
  const tokens = {
    local: localToken,
    ...(config.token === undefined ? {} : { automation: config.token }),
  }
  const signIn = new SignIn(credentials, tokens, new SecureHosts(config.secureHostnames))
  const gates = new Gates([config.host, ...config.hostnames], signIn, config.origins)
  const { dataDir, roots } = config
  const facts = { dataDir, roots, version: VERSION, webFolder: WEB_FOLDER }
  const acp = new AcpEndpoint({ ...parts, version: VERSION })
  const access = { acp, signIn, credentials, gates }
  const api = createApi({ ...parts, ...facts, ...access })
  const methods = rpcMethods(api, createFeedCommands(parts))
  const upgrades = new Upgrades({ ...parts, ...access, methods })
  const app = createHttpApp({ ...parts, ...facts, ...access, api }, () => upgrades.count)
  logRejection(log, 'removing sessions', retention.finishRemovals())
  const port = await openPort({ app, upgrades, gates, config, server })
  const { address } = port
  signIn.usePort(Number(new URL(address).port || 80))
  lock.announce(address, localToken)
  // In the background, so that the first page does not wait.
  logRejection(log, 'scanning repositories', repos.scan())
  logRejection(log, 'removing old temporary folders', sweepTempFolders())
  agents.pool.warmUp(agents.extensions.all)

  return {
    address,
    signInAddress: () => `${address}/#code=${signIn.codes.mint().code}`,
    on: hooks.events.on.bind(hooks.events),
    off: hooks.events.off.bind(hooks.events),
    stop: lazy(async () => {
      port.close()
      parts.pushNotifier.close()
      terminals.close()
      repos.close()
      await endAgents(parts, acp)
      port.end()
      closeDatabase(db)
      lock.release()
      log.info('the hub has stopped')
    }),
  }
}

/** All waits share one deadline, also those for agents that ignore signals. */
async function endAgents(
  { sessions, probes, agents }: Awaited<ReturnType<typeof build>>,
  acp: AcpEndpoint,
): Promise<void> {
  const ended = Promise.all([sessions.close(), probes.close()]).then(() =>
    Promise.all([agents.close(), acp.close()]),
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
