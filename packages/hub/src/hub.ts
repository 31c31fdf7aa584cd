// Builds every long-lived object of the hub once, in order, and takes them down in reverse.
import { randomBytes } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { join } from 'node:path'
import type { DestinationStream } from 'pino'
import { AcpEndpoint } from './acp/acp-endpoint.js'
import { sweepOrphans } from './process/process-sweep.js'
import { openHubId } from './process/process-tag.js'
import { terminalProcesses } from './terminals/terminal-processes.js'
import type { Config } from './config.js'
import { within } from './deadline.js'
import { Credentials } from './http/credentials.js'
import { Gates } from './http/gates.js'
import { openPort } from './http/port.js'
import { createHttpApp } from './http/server.js'
import { SignIn } from './http/sign-in.js'
import { Upgrades } from './http/upgrades.js'
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
import { closeDatabase, type Database, openDatabase } from './store/database.js'
import { DATABASE_FILE } from './store/data-files.js'
import { MediaStore } from './store/media.js'
import { copyBeforeMigration } from './store/migration-copy.js'
import { migrateUp } from './store/migrations.js'
import { finishRestore } from './store/restore-swap.js'
import { sweepTempFolders } from './temp-folders.js'
import { PeopleTerminals } from './terminals/people-terminals.js'
import { VERSION } from './version.js'
import { WEB_FOLDER } from './places.js'

export type Hub = {
  /** Where it listens, such as `http://127.0.0.1:4444`. */
  readonly address: string
  /** The address with a fresh one-time code: whoever opens it is signed in. */
  signInAddress(): string
  /** What agents and WebSocket clients send, as JSON-RPC messages. Agents that run already are heard from their next start. */
  on: EventEmitter<MessageEvents>['on']
  off: EventEmitter<MessageEvents>['off']
  /** Cancels all sessions, ends their agents and frees the data directory; at most ten seconds. */
  stop(): Promise<void>
}

/** For a program that has a server already, or wants to see what passes. */
export type Embedding = {
  readonly server?: Server
  readonly middleware?: readonly Middleware[]
  /** Takes the lines of the log instead of stderr. */
  readonly logTo?: DestinationStream
}

const STOP_DEADLINE_MS = 10_000

/** Opens the data directory, puts right what a crash left, and listens. */
export async function createHub(config: Config, embedding: Embedding = {}): Promise<Hub> {
  const log = createLog(config.logLevel, embedding.logTo)
  const lock = lockDataDirectory(config.dataDir)
  let db: Database | undefined
  try {
    finishRestore(config.dataDir)
    db = openDatabase(join(config.dataDir, DATABASE_FILE), config)
    copyBeforeMigration(db, config.dataDir)
    migrateUp(db)
    return await serve({ config, db, lock, log, embedding })
  } catch (error) {
    if (db) closeDatabase(db)
    lock.release()
    throw error
  }
}

type Ground = {
  readonly config: Config
  readonly db: Database
  readonly lock: ReturnType<typeof lockDataDirectory>
  readonly log: Log
  readonly embedding: Embedding
}

/** Every long-lived object, in the order they need each other. */
async function build({ config, db, log, embedding }: Ground) {
  const hubId = openHubId(config.dataDir)
  await sweepOrphans(hubId, log)
  const projection = new Projection(db)
  const eventLog = new EventLog({ db, projection, log })
  await recoverSessions(db, eventLog, log)

  const hooks = new MessageHooks(embedding.middleware)
  const agents = new AgentRuntime({ config, hubId, hooks, log })
  const probes = new Probes(agents)
  const repos = new Repos({ db, roots: config.roots, log })
  const reader = new SessionReader(db, projection, eventLog)
  const mediaFolder = join(config.dataDir, 'media')
  const media = new MediaStore(db, mediaFolder)
  const ground = { config, eventLog, agents, media, repos, reader, log }
  const snapshotsFolder = join(config.dataDir, 'snapshots')
  const trust = new RepoTrust({ db, mode: config.trust, log })
  const changes = new SessionChanges({ db, folder: snapshotsFolder, eventLog, log })
  const isRemoved = (id: string): boolean => retention.isRemoved(id)
  const sessions: Sessions = new Sessions({ ...ground, projection, trust, changes, isRemoved })
  const isInUse = (id: string): boolean => sessions.isInUse(id)
  const onRemoved = (id: string): void => eventLog.announce(id)
  const retention = new Retention({ db, mediaFolder, snapshotsFolder, isInUse, onRemoved })
  const lister = new SessionLister(db, projection)
  const timelines = new Timelines(db, eventLog, projection)
  const ranges = new FollowRanges(db)
  const { dataDir } = config
  const processes = terminalProcesses(log)
  const terminals = new PeopleTerminals({ dataDir, repos, processes, log })
  await terminals.findAll()
  const lists = { retention, lister, timelines, ranges }
  const push = buildPush({ config, db, eventLog, lister, log })
  const parts = { ...ground, hooks, probes, sessions, trust, changes, terminals }
  return { ...parts, ...lists, ...push }
}

type PushDeps = Pick<Ground, 'config' | 'db' | 'log'> & {
  readonly eventLog: EventLog
  readonly lister: SessionLister
}

function buildPush({ config, db, ...ground }: PushDeps) {
  const pushKeys = new VapidKeys(config.dataDir)
  const sender = new PushSender(pushKeys, config.pushOrigins)
  const subscriptions = new PushSubscriptions(db)
  const visiblePages = new VisiblePages()
  const pushNotifier = new PushNotifier({ ...ground, subscriptions, visiblePages, sender })
  return { pushKeys, sender, subscriptions, visiblePages, pushNotifier }
}

async function serve(ground: Ground): Promise<Hub> {
  const { config, db, lock, log } = ground
  const parts = await build(ground)
  const { sessions, agents, hooks, probes, repos, retention, terminals } = parts
  const localToken = randomBytes(32).toString('base64url')
  const credentials = new Credentials(db, log)
  const signIn = new SignIn(credentials, {
    local: localToken,
    ...(config.token === undefined ? {} : { automation: config.token }),
  })
  const gates = new Gates([config.host, ...config.hostnames], signIn)
  const { dataDir, roots } = config
  const place = { dataDir, roots, version: VERSION, webFolder: WEB_FOLDER }
  const acp = new AcpEndpoint({ ...parts, version: VERSION })
  const access = { acp, signIn, credentials, gates }
  const upgrades = new Upgrades({ ...parts, ...access })
  const app = createHttpApp({ ...parts, ...place, ...access }, () => upgrades.count)
  logRejection(log, 'removing sessions', retention.finishRemovals())
  const port = await openPort({ app, upgrades, config, server: ground.embedding.server })
  const { address } = port
  signIn.usePort(Number(new URL(address).port || 80))
  lock.announce(address, localToken)
  // The first page should not wait for these.
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
      await within(Promise.all([sessions.close(), probes.close()]), STOP_DEADLINE_MS)
      await Promise.all([agents.close(), acp.close()])
      port.end()
      closeDatabase(db)
      lock.release()
      log.info('the hub has stopped')
    }),
  }
}

/** Runs at most once; everybody gets the same promise. */
function lazy<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
