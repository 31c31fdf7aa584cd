// What a client hears of a session: each event of the log as one fact, followed by the state that it changed.
// Facts are told once. State (status, queue, plan, config, commands, usage) is always told whole, so missing one loses nothing.
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
  /** A prompt, also one of another client; `waiting` until its turn starts. Told again when it was edited. */
  user_message: {
    readonly messageId: string
    readonly text: string
    readonly content: readonly ContentBlock[]
    readonly by?: string
    readonly waiting: boolean
  }
  /** Belongs to the end of the message; with `replaces` it is all of the message so far. */
  text_delta: { readonly messageId: string; readonly delta: string; readonly replaces?: true }
  thought_delta: { readonly messageId: string; readonly delta: string; readonly replaces?: true }
  /** What the agent shows besides text: an image, audio, a resource. */
  content: { readonly messageId: string; readonly content: ContentBlock }
  /** The call as it is known now. */
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
  /** Something failed: the agent, the hub, or following the session itself. */
  error: { readonly error: Failure }
  turn_end: {
    readonly turnId: string
    readonly stopReason?: StopReason
    readonly error?: Failure
    readonly usage?: unknown
    readonly durationMs?: number
    /** Nothing but thoughts came. */
    readonly empty: boolean
  }
  /** What this version has no name for, as the log has it. */
  unknown: { readonly raw: unknown }
}

export type ChatEventType = keyof ChatEventData

type ChatEventBase<Type> = {
  readonly type: Type
  readonly sessionId: string
  /** The number of the log's event behind it; several may share one. */
  readonly seq: number
  /** Milliseconds since 1970. */
  readonly at: number
  readonly turnId?: string
}

export type ChatEventOf<Type extends ChatEventType> = ChatEventBase<Type> & ChatEventData[Type]
export type ChatEvent = { [Type in ChatEventType]: ChatEventOf<Type> }[ChatEventType]

/** An event before it is dated. */
export type ChatEventBody = {
  [Type in ChatEventType]: { readonly type: Type; readonly turnId?: string } & ChatEventData[Type]
}[ChatEventType]
