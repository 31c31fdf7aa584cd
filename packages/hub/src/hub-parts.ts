// Builds the hub's long-lived objects once, in the order of their dependencies. AgentRuntime builds those that agents share.
import { join } from 'node:path'
import type { CheckRun } from '@quayside/protocol'
import { Cluster } from './cluster/cluster.js'
import { endOnLapse, type LapseDeps } from './cluster/end-on-lapse.js'
import { Drain } from './cluster/drain.js'
import { HubAdmin } from './cluster/hub-admin.js'
import { Takeover, type TakeoverDeps } from './cluster/takeover.js'
import { sweepOrphans } from './process/process-sweep.js'
import { openHubId } from './process/process-tag.js'
import { terminalProcesses } from './terminals/people/terminal-processes.js'
import type { Config } from './config/config.js'
import type { Log } from './log.js'
import { MessageHooks, type Middleware } from './message-hooks.js'
import type { SessionOwner } from './store/cluster-store.js'
import type { Store } from './store/store.js'
import { PushNotifier } from './push/push-notifier.js'
import { PushSender } from './push/push-sender.js'
import { PushSubscriptions } from './push/push-subscriptions.js'
import { VapidKeys } from './push/vapid-keys.js'
import { VisiblePages } from './push/visible-pages.js'
import { AgentRuntime } from './agents/agent-runtime.js'
import { ServerSecrets } from './agents/mcp/server-secrets.js'
import { Probes } from './agents/probe/probes.js'
import { RepoTrust } from './repos/repo-trust.js'
import { Comparisons, type ComparisonsDeps } from './comparisons/comparisons.js'
import { Clones } from './repos/clone/clones.js'
import { Repos } from './repos/repos.js'
import { RootFolders } from './repos/root-folders.js'
import { EventLog } from './sessions/log/event-log.js'
import { FollowRanges } from './sessions/log/follow-ranges.js'
import { Projection } from './sessions/log/projection.js'
import { Recovery } from './sessions/upkeep/recovery.js'
import { Retention } from './sessions/upkeep/retention.js'
import { SessionChanges } from './sessions/changes/session-changes.js'
import { TurnUndo } from './sessions/changes/undo.js'
import { PlaceFinder } from './sessions/reading/place-finder.js'
import { SessionLister } from './sessions/reading/session-list.js'
import { SessionReader } from './sessions/reading/session-reader.js'
import { LiveSessions, type LiveSessionsDeps } from './sessions/live/live-sessions.js'
import { Forks } from './sessions/forks.js'
import { SessionChecks, type SessionChecksDeps } from './sessions/session-checks.js'
import { SessionEdits } from './sessions/session-edits.js'
import { Sessions, type SessionsDeps } from './sessions/sessions.js'
import { Timelines } from './sessions/reading/timeline.js'
import { readWorkspace } from './sessions/log/session-summary.js'
import { WorkspaceChecks } from './workspaces/workspace-checks.js'
import { type SetupWarning, WorkspaceSetups } from './workspaces/workspace-setups.js'
import { Workspaces } from './workspaces/workspaces.js'
import { makeOwnFolder, SNAPSHOTS_FOLDER, WORKTREES_FOLDER } from './store/data-files.js'
import { MediaStore } from './store/media.js'
import { PeopleTerminals } from './terminals/people/people-terminals.js'

export type PartsDeps = {
  readonly config: Config
  readonly store: Store
  readonly middleware: readonly Middleware[] | undefined
  readonly log: Log
}

export type HubParts = Awaited<ReturnType<typeof buildParts>>

export async function buildParts({ config, store, middleware, log }: PartsDeps) {
  const hubId = openHubId(config.dataDir)
  const swept = sweepOrphans(hubId, log)
  const projection = new Projection(store, { storesActivity: store.cluster !== undefined })
  const eventLog = new EventLog({ store: store.events, projection, log })
  const { cluster, findHub } = await openCluster({ config, store, eventLog, log })
  const recovery = new Recovery({ store: store.sessions, eventLog, projection, log })
  await recovery.find()

  const hooks = new MessageHooks(middleware)
  const agents = new AgentRuntime({ config, hubId, hooks, lease: store.cluster?.lease, log })
  agents.requireValidEnvironment()
  const probes = new Probes(agents)
  const { repos, ...ofRepos } = buildRepos({ config, store, agents, log })
  const whenClosed = (id: string): Promise<void> => recovery.whenClosed(id)
  const reader = new SessionReader({ store, projection, eventLog, whenClosed, findHub })
  const timelines = new Timelines(store)
  const mediaFolder = join(config.dataDir, 'media')
  const media = new MediaStore(store.media, mediaFolder)
  const core = { config, eventLog, agents, media, repos, reader, timelines, hooks, log }
  const snapshotsFolder = makeOwnFolder(config.dataDir, SNAPSHOTS_FOLDER)
  const configPaths = () => agents.extensions.configPaths
  const trust = new RepoTrust({ store: store.repos, mode: config.trust, configPaths, log })
  const changes = new SessionChanges({ store, folder: snapshotsFolder, eventLog, log })
  const folders = { mediaFolder, snapshotsFolder }
  const { dataDir } = config
  const processes = terminalProcesses(log)
  const terminals = new PeopleTerminals({ dataDir, repos, processes, log })
  const warn = (id: string, warning: SetupWarning) =>
    eventLog.append(id, { type: 'notice', data: { severity: 'warning', ...warning } })
  const setups = new WorkspaceSetups({ terminals, warn, log })
  const ofSessions = { ...core, store, projection, trust, changes, setups, ...folders }
  const sessions = await buildSessions(ofSessions)
  const lister = new SessionLister({
    store,
    projection,
    isUnclosed: (id) => recovery.isUnclosed(id),
    whenAllClosed: () => recovery.whenAllClosed(),
    findHub,
  })
  const finder = new PlaceFinder({ store: store.sessions, projection })
  const ranges = new FollowRanges(store)
  await Promise.all([swept, terminals.findAll()])
  cluster?.useTerminals((id) => terminals.has(id))
  const lists = { lister, finder, recovery, ranges }
  const push = await buildPush({ config, store, eventLog, lister, log })
  const parts = { ...core, ...ofRepos, ...sessions, projection, probes, trust, changes, terminals }
  const ofHubs = { ...buildMoves(cluster, parts), machineId: hubId, startedAt: Date.now() }
  return { ...parts, ...buildComparisons(parts), ...lists, ...push, ...ofHubs }
}

type ClusterBuildDeps = Pick<PartsDeps, 'config' | 'store' | 'log'> & {
  readonly eventLog: EventLog
}

/** A hub with its database to itself has no cluster. */
async function openCluster({ store, ...deps }: ClusterBuildDeps) {
  if (store.cluster === undefined) return {}
  const cluster = await Cluster.open({ ...deps, store: store.cluster })
  return { cluster, findHub: (session: SessionOwner) => cluster.hubs.findHub(session) }
}

type MovesDeps = Omit<TakeoverDeps, 'store'> & Omit<LapseDeps, 'lease'>

/** Sessions that come from other hubs, and that go to them. */
function buildMoves(cluster: Cluster | undefined, deps: MovesDeps) {
  if (cluster === undefined) return { cluster, moves: [], hubAdmin: undefined }
  const { hubs, peers, store } = cluster
  endOnLapse({ ...deps, lease: store.lease })
  const ofHubs = { ...deps, store, hubs, peers }
  const moves = [new Takeover(ofHubs), new Drain(ofHubs)]
  return { cluster, moves, hubAdmin: new HubAdmin(ofHubs) }
}

type ComparisonBuildDeps = Omit<SessionChecksDeps, 'checks'> & Omit<ComparisonsDeps, 'checks'>

function buildComparisons(deps: ComparisonBuildDeps) {
  const { terminals, edits, log } = deps
  const record = (id: string, check: CheckRun) => edits.changeWorkspace(id, { check })
  const checks = new WorkspaceChecks({ terminals, record, log })
  const sessionChecks = new SessionChecks({ ...deps, checks })
  return { checks, sessionChecks, comparisons: new Comparisons({ ...deps, checks }) }
}

type SessionBuildDeps = WorkspaceBuildDeps &
  Omit<SessionsDeps, 'live' | 'retention' | 'secrets' | 'workspaces'> &
  LiveSessionsDeps & { readonly mediaFolder: string }

async function buildSessions({ store, mediaFolder, ...deps }: SessionBuildDeps) {
  const { config, eventLog, snapshotsFolder } = deps
  const ofWorkspaces = await buildWorkspaces({ store, ...deps })
  const secrets = new ServerSecrets(config.dataDir)
  const live = new LiveSessions(deps)
  const retention = new Retention({
    store,
    mediaFolder,
    snapshotsFolder,
    isInUse: (id) => live.isInUse(id) || forks.isForking(id),
    hasUnsavedWork: ofWorkspaces.hasUnsavedWork,
    findDiscarded: ofWorkspaces.findDiscarded,
    releaseWorkspace: ofWorkspaces.releaseWorkspace,
    onRemoved: (id) => {
      eventLog.endRemoved(id)
      secrets.remove(id)
    },
  })
  const sessionDeps = { ...deps, secrets, workspaces: ofWorkspaces.workspaces, live, retention }
  const sessions = new Sessions(sessionDeps)
  const forks = new Forks({ ...sessionDeps, store, sessions })
  const edits = new SessionEdits(sessionDeps)
  return { ...ofWorkspaces, secrets, live, retention, sessions, forks, edits }
}

type WorkspaceBuildDeps = Pick<PartsDeps, 'config' | 'store' | 'log'> & {
  readonly eventLog: EventLog
  readonly repos: Repos
  readonly changes: SessionChanges
  readonly snapshotsFolder: string
}

/** The work trees of sessions. Steps of undo that a crash interrupted are finished before anything else happens in them. */
async function buildWorkspaces({
  config,
  store,
  repos,
  snapshotsFolder,
  ...deps
}: WorkspaceBuildDeps) {
  const undo = await TurnUndo.open({ ...deps, folder: snapshotsFolder, dataDir: config.dataDir })
  const folder = makeOwnFolder(config.dataDir, WORKTREES_FOLDER)
  const workspaces = new Workspaces({ folder, repos, log: deps.log })
  const find = async (id: string) => {
    const row = await store.sessions.findSummary(id)
    return row && { id, repoId: row.repoId, workspace: readWorkspace(row) }
  }
  const releaseWorkspace = async (id: string): Promise<void> => {
    const session = await find(id)
    if (session) await workspaces.release(session)
  }
  const findDiscarded = async (id: string) => {
    const session = await find(id)
    return session && workspaces.findDiscarded(session)
  }
  const hasUnsavedWork = async (id: string): Promise<boolean> => {
    const session = await find(id)
    if (session === undefined) return false
    // A work tree that cannot be read stays when its session is removed.
    const work = await workspaces.findUnsaved(session).catch(() => undefined)
    return work?.keptAs !== undefined
  }
  const oldWorktrees = await workspaces.ids()
  const ofSessions = { releaseWorkspace, hasUnsavedWork, findDiscarded }
  return { undo, workspaces, oldWorktrees, ...ofSessions }
}

type RepoDeps = Pick<PartsDeps, 'config' | 'store' | 'log'> & { readonly agents: AgentRuntime }

function buildRepos({ config, store, agents, log }: RepoDeps) {
  const roots = new RootFolders({ configured: config.roots, dataDir: config.dataDir })
  const { workspace: defaultWorkspace } = config
  const repos = new Repos({ store: store.repos, roots, defaultWorkspace, log })
  const ownEnv = () => agents.owner.own({ env: {} }).env
  const clones = new Clones({ repos, roots, ownEnv, log })
  return { roots, repos, clones }
}

type PushDeps = Pick<PartsDeps, 'config' | 'store' | 'log'> & {
  readonly eventLog: EventLog
  readonly lister: SessionLister
}

async function buildPush({ config, store, ...deps }: PushDeps) {
  const pushKeys = await VapidKeys.open(config.dataDir, store.shared)
  const sender = new PushSender(pushKeys, config.pushOrigins)
  const subscriptions = new PushSubscriptions(store.credentials)
  const visiblePages = new VisiblePages(store.shared?.visiblePages)
  const pushNotifier = new PushNotifier({ ...deps, subscriptions, visiblePages, sender })
  return { pushKeys, sender, subscriptions, visiblePages, pushNotifier }
}
