// The chat events of a session: each event of the log as one fact, followed by the state that it changed.
// State events (status, queue, plan, config, commands, usage) always carry the whole state, so that missing one is harmless.
import type {
  Activity,
  AvailableCommand,
  ConfigOption,
  ContentBlock,
  EventData,
  Failure,
  PermissionOption,
  PermissionOutcome,
  PlanEntry,
  QueuedTurn,
  SessionModes,
  SessionStatus,
  StopReason,
  ToolCall,
  Usage,
} from '@quayside/protocol'

type ChatEventData = {
  turn_start: { readonly turnId: string }
  /** A prompt of any client; `waiting` until its turn starts. Repeated when it is edited. */
  user_message: {
    readonly messageId: string
    readonly text: string
    readonly content: readonly ContentBlock[]
    readonly by?: string
    readonly waiting: boolean
  }
  /** Appends to the message; with `replaces`, it is the whole message so far. */
  text_delta: { readonly messageId: string; readonly delta: string; readonly replaces?: true }
  thought_delta: { readonly messageId: string; readonly delta: string; readonly replaces?: true }
  /** Agent output other than text: an image, audio, a resource. */
  content: { readonly messageId: string; readonly content: ContentBlock }
  /** The current state of the call. */
  tool_update: { readonly toolCall: ToolCall }
  plan: { readonly entries: readonly PlanEntry[] }
  permission_request: {
    readonly permissionId: string
    readonly toolCall: ToolCall
    readonly options: readonly PermissionOption[]
  }
  permission_resolved: {
    readonly permissionId: string
    readonly outcome: PermissionOutcome
    readonly reason: EventData['permission.resolved']['reason']
    readonly by?: string
  }
  question: {
    readonly questionId: string
    readonly message: string
    readonly mode: string
    readonly requestedSchema?: unknown
    readonly url?: string
  }
  question_resolved: {
    readonly questionId: string
    readonly action: EventData['question.answered']['action']
    readonly content?: Readonly<Record<string, unknown>>
    readonly by?: string
  }
  config: { readonly options: readonly ConfigOption[]; readonly modes: SessionModes | null }
  commands: { readonly commands: readonly AvailableCommand[] }
  usage: Usage
  queue: { readonly queue: readonly QueuedTurn[] }
  status: {
    readonly status: SessionStatus
    readonly activity: Activity
    readonly title: string | null
  }
  notice: {
    readonly severity: 'info' | 'warning'
    readonly code: string
    readonly message: string
    readonly details?: Readonly<Record<string, unknown>>
  }
  /** A failure of the agent, the hub, or of following the session. */
  error: { readonly error: Failure }
  turn_end: {
    readonly turnId: string
    readonly stopReason?: StopReason
    readonly error?: Failure
    readonly usage?: unknown
    readonly durationMs?: number
    /** The turn had only thoughts. */
    readonly empty: boolean
  }
  /** An event that this version does not know, as in the log. */
  unknown: { readonly raw: unknown }
}

export type ChatEventType = keyof ChatEventData

type ChatEventBase<Type> = {
  readonly type: Type
  readonly sessionId: string
  /** The `seq` of its event in the log; several chat events may share one. */
  readonly seq: number
  /** Milliseconds since 1970. */
  readonly at: number
  readonly turnId?: string
}

export type ChatEventOf<Type extends ChatEventType> = ChatEventBase<Type> & ChatEventData[Type]
export type ChatEvent = { [Type in ChatEventType]: ChatEventOf<Type> }[ChatEventType]

/** An event without `seq` and time. */
export type ChatEventBody = {
  [Type in ChatEventType]: { readonly type: Type; readonly turnId?: string } & ChatEventData[Type]
}[ChatEventType]
