// The events of a session's log: one numbered, immutable entry for each fact.
// Shapes only grow: new types and new optional fields; no field is renamed, narrowed or removed.
import type {
  ConfigOption,
  ContentBlock,
  PermissionOption,
  PermissionOutcome,
  SessionModes,
  SessionUpdate,
  StopReason,
  ToolCallFields,
} from '../acp/acp.js'

/** Final states of a session; `active` is the only other status. */
export type EndedStatus = 'completed' | 'cancelled' | 'error'
export type SessionStatus = 'active' | EndedStatus
export const SESSION_STATUSES = [
  'active',
  'completed',
  'cancelled',
  'error',
] as const satisfies SessionStatus[]

/** The activity of a live session; one that has ended has none. */
export const ACTIVITIES = ['starting', 'idle', 'working', 'waiting'] as const
export type Activity = (typeof ACTIVITIES)[number]

/** Why something failed: our code, a sentence for people, and what the agent itself said under `details.acp`. */
export type Failure = {
  readonly code: string
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** The place where a session works: the repository's own work tree, which others share, or a git work tree of its own. */
export type Workspace = {
  readonly kind: 'shared' | 'worktree'
  readonly path: string
  /** The branch of its own work tree. */
  readonly branch?: string
  /** The branch or commit that it was made from. */
  readonly base?: string
  /** It was removed, after a merge or when its changes were discarded. */
  readonly isRemoved?: true
  /** The reference of the repository that keeps its work since then. */
  readonly kept?: string
  /** The sessions that have the same prompt and the same base, for other agents. */
  readonly comparison?: ComparedSessions
  /** The latest run of the repository's check command. */
  readonly check?: CheckRun
}

export type ComparedSessions = {
  /** The first of its sessions. */
  readonly id: string
  readonly sessionIds: readonly string[]
  /** This session was chosen; the others were given up. */
  readonly isTaken?: true
}

export type CheckRun = {
  /** `unknown`: it could not run, was stopped, or ended while no hub could see it. */
  readonly state: 'running' | 'passed' | 'failed' | 'unknown'
  readonly command: string
  readonly startedAt: string
  readonly terminalId?: string
  readonly seconds?: number
  readonly exitCode?: number
  /** Why there is no exit code. */
  readonly reason?: string
}

/** The last turn and event of another session that a fork begins with; without a turn, it begins before the first one. */
export type ForkPoint = {
  readonly sessionId: string
  readonly turnId?: string
  readonly seq: number
}

export type EventData = {
  'session.created': {
    readonly repoId: string
    readonly extensionId: string
    readonly cwd: string
    readonly title?: string
    readonly settings?: Readonly<Record<string, unknown>>
    /** Absent in logs of older hubs: the repository's own work tree. */
    readonly workspace?: Workspace
    /** Of a fork, whose log begins with the other session's events and whose first own event this is. */
    readonly forkedFrom?: ForkPoint
    readonly by?: string
  }
  'session.updated': {
    readonly title?: string | null
    readonly pinned?: boolean
    readonly archived?: boolean
    /** The work tree when the session began; the changes of the session are relative to it. */
    readonly snapshot?: Readonly<Record<string, unknown>>
    readonly workspace?: Workspace
    /** All settings after the change. */
    readonly settings?: Readonly<Record<string, unknown>>
    readonly by?: string
  }
  'session.ended': {
    readonly status: EndedStatus
    readonly reason: string
    readonly message?: string
    /** Of an agent that exited: its exit code, signal and the end of its stderr. */
    readonly details?: Readonly<Record<string, unknown>>
    readonly by?: string
  }
  'session.resumed': { readonly by?: string }
  'agent.started': {
    readonly acpSessionId: string
    readonly how: 'new' | 'resume' | 'load' | 'fork' | 'primer'
    readonly pid?: number
    readonly agentInfo?: Readonly<Record<string, unknown>>
    readonly capabilities?: Readonly<Record<string, unknown>>
    readonly modes?: SessionModes
    readonly configOptions?: readonly ConfigOption[]
    /** Sent by older agents instead of a `model` option. */
    readonly models?: Readonly<Record<string, unknown>>
  }
  'agent.exited': {
    readonly reason: 'stopped' | 'crashed' | 'hub_crash'
    readonly exitCode?: number | null
    readonly signal?: string | null
    readonly stderrTail?: string
    /** The reason of the hub, which ended the agent although its session needed it. */
    readonly cause?: string
  }
  /** The agent reports that it is signed out, or signed in again. Until then it counts as signed in. */
  'agent.auth_changed': {
    readonly signedIn: boolean
    /** The agent's own words. */
    readonly label?: string
  }
  /** Repeated with the same `turnId` when the queued prompt is edited or moved. */
  'turn.queued': {
    readonly turnId: string
    readonly prompt: readonly ContentBlock[]
    /** The queued turn it precedes; null is the end. When absent, a new turn is at the end and an edited one stays in place. */
    readonly before?: string | null
    readonly by?: string
  }
  'turn.started': { readonly turnId: string }
  'turn.ended': {
    readonly turnId: string
    readonly stopReason?: StopReason
    readonly error?: Failure
    readonly usage?: unknown
    readonly durationMs?: number
    /** The principal that stopped it. */
    readonly by?: string
    /** Queued turns do not start by themselves: a person stopped the session's work, not only this turn. */
    readonly pausesQueue?: true
    /** The turn was cancelled because a permission was not answered in time. */
    readonly reason?: 'decision_timeout'
  }
  'acp.update': { readonly turnId?: string; readonly update: SessionUpdate }
  'permission.requested': {
    readonly permissionId: string
    readonly turnId?: string
    readonly toolCall: ToolCallFields
    readonly options: readonly PermissionOption[]
    /** When the hub stops waiting, as an ISO time; absent when it waits for ever. */
    readonly expiresAt?: string
  }
  'permission.resolved': {
    readonly permissionId: string
    readonly outcome: PermissionOutcome
    readonly reason:
      | 'answered'
      | 'rule'
      | 'turn_cancelled'
      | 'timeout'
      | 'withdrawn'
      | 'agent_exited'
      | 'hub_crash'
    readonly by?: string
  }
  'question.asked': {
    readonly questionId: string
    readonly turnId?: string
    readonly message: string
    readonly mode: string
    readonly requestedSchema?: unknown
    readonly url?: string
    readonly expiresAt?: string
  }
  'question.answered': {
    readonly questionId: string
    readonly action: 'accept' | 'decline' | 'cancel'
    readonly content?: Readonly<Record<string, unknown>>
    readonly reason?: string
    readonly by?: string
  }
  'option.set': {
    readonly optionId: string
    readonly value: string | boolean
    /** All options as the agent lists them after the change. */
    readonly configOptions?: readonly ConfigOption[]
    readonly by?: string
  }
  'terminal.opened': {
    readonly terminalId: string
    readonly command: string
    readonly args: readonly string[]
    readonly cwd: string
  }
  'terminal.exited': {
    readonly terminalId: string
    readonly exitCode: number | null
    readonly signal: string | null
    readonly output?: string
    readonly truncated?: boolean
  }
  notice: {
    readonly severity: 'info' | 'warning' | 'error'
    readonly code: string
    readonly message: string
    readonly turnId?: string
    readonly details?: Readonly<Record<string, unknown>>
  }
}

export type EventType = keyof EventData

/** An event before the log assigns its number and time. */
export type EventBody = {
  [Type in EventType]: { readonly type: Type; readonly data: EventData[Type] }
}[EventType]

/** One entry of a session's log. `seq` starts at 1 and has no gaps; `at` is ms since 1970. */
export type SessionEvent = {
  [Type in EventType]: {
    readonly sessionId: string
    readonly seq: number
    readonly at: number
    readonly type: Type
    readonly data: EventData[Type]
  }
}[EventType]

export type EventOf<Type extends EventType> = Extract<SessionEvent, { type: Type }>
