// The form of a room of commands: functions made of the hub's long-lived objects, and those that answer by themselves.
import type { Handlers, RawHandlers, Table } from '@quayside/protocol/schemas'
import type { Request, Response } from 'express'
import type { AgentRuntime } from '../agents/agent-runtime.js'
import type { Probes } from '../agents/probe/probes.js'
import type { HubAdmin } from '../cluster/hub-admin.js'
import type { Cluster } from '../cluster/cluster.js'
import type { ComparisonViewDeps } from '../comparisons/describe-comparison.js'
import type { Config } from '../config/config.js'
import type { Credentials } from '../http/access/credentials.js'
import type { Caller } from '../http/access/principal.js'
import type { SignIn } from '../http/access/sign-in.js'
import type { Previews } from '../preview/previews.js'
import type { PushSender } from '../push/push-sender.js'
import type { PushSubscriptions } from '../push/push-subscriptions.js'
import type { VapidKeys } from '../push/vapid-keys.js'
import type { Reach } from '../reach/reach.js'
import type { RemoteHosts } from '../reach/remote-hosts.js'
import type { Clones } from '../repos/clone/clones.js'
import type { RootFolders } from '../repos/root-folders.js'
import type { TurnUndo } from '../sessions/changes/undo.js'
import type { Forks } from '../sessions/forks.js'
import type { EventLog } from '../sessions/log/event-log.js'
import type { PlaceFinder } from '../sessions/reading/place-finder.js'
import type { SessionLister } from '../sessions/reading/session-list.js'
import type { Timelines } from '../sessions/reading/timeline.js'
import type { SessionChecks } from '../sessions/session-checks.js'
import type { Retention } from '../sessions/upkeep/retention.js'
import type { WorkspaceActionDeps } from '../sessions/workspace-actions.js'
import type { MediaStore } from '../store/media.js'
import type { PeopleTerminals } from '../terminals/people/people-terminals.js'

export type ApiDeps = WorkspaceActionDeps &
  ComparisonViewDeps & {
    readonly agents: AgentRuntime
    readonly clones: Clones
    /** Undefined, as `hubAdmin`, when the hub has its database to itself. */
    readonly cluster: Cluster | undefined
    readonly config: Pick<Config, 'name'>
    readonly credentials: Credentials
    readonly dataDir: string
    readonly finder: PlaceFinder
    readonly forks: Forks
    readonly hubAdmin: HubAdmin | undefined
    readonly lister: SessionLister
    readonly machineId: string
    readonly previews: Previews
    readonly probes: Probes
    readonly pushKeys: VapidKeys
    readonly reach: Reach
    readonly remoteHosts: RemoteHosts
    readonly retention: Retention
    readonly roots: RootFolders
    readonly sender: PushSender
    readonly sessionChecks: SessionChecks
    readonly signIn: SignIn
    readonly startedAt: number
    readonly subscriptions: PushSubscriptions
    readonly terminals: PeopleTerminals
    readonly timelines: Timelines
    readonly undo: TurnUndo
    readonly version: string
  }

/** Makes a function for each command of a table that is not raw. A room takes what it needs from `deps`. */
export type Room<Table, Deps extends Partial<ApiDeps> = ApiDeps> = (
  deps: Deps,
) => Handlers<Table, Caller>

/** The same for commands that answer by themselves: streams, downloads, uploads, cookies. */
export type RawRoom<Name extends keyof Raw> = (deps: RawDeps) => Pick<Raw, Name>
export type RawDeps = ApiDeps & { readonly eventLog: EventLog; readonly media: MediaStore }
export type Raw = RawHandlers<Table, Exchange>
export type Exchange = { readonly request: Request; readonly response: Response }
