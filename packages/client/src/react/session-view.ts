// A session's state for components, without its items: one object that is replaced only when it changes.
import {
  activityOf,
  findItemOf,
  type Activity,
  type AgentCapabilities,
  type AvailableCommand,
  type ConfigOption,
  type Item,
  type PermissionItem,
  type PlanEntry,
  type QuestionItem,
  type QueuedTurn,
  type RunningAgent,
  type SessionModes,
  type SessionStatus,
  type SessionSummary,
  type Transcript,
  type Usage,
} from '@quayside/protocol'
import type { AgentSession, PermissionAnswer, QuestionAnswer } from '../session/agent-session.js'
import type { ClientError } from '../connection/client-error.js'
import type { PromptInput } from '../session/prompt-input.js'

export type SessionView = {
  /** `missing`: the session does not exist. `failed`: it cannot be followed, see `error`. */
  readonly is: 'loading' | 'ready' | 'missing' | 'failed'
  readonly error: ClientError | undefined
  /** Set when the session is open. */
  readonly session: AgentSession | undefined
  readonly info: SessionSummary | undefined
  readonly title: string | null
  readonly status: SessionStatus
  /** The session's settings as last saved. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly activity: Activity
  /** The running turn. */
  readonly turnId: string | undefined
  /** The turn that ended last. */
  readonly lastTurnId: string | undefined
  /** Open ones, oldest first. */
  readonly permissions: readonly PermissionItem[]
  readonly questions: readonly QuestionItem[]
  readonly plan: readonly PlanEntry[]
  readonly queue: readonly QueuedTurn[]
  /** A person stopped the work: queued prompts start only when a person sends them. */
  readonly isQueuePaused: boolean
  readonly isArchived: boolean
  readonly options: readonly ConfigOption[]
  readonly modes: SessionModes | null
  readonly commands: readonly AvailableCommand[]
  readonly usage: Usage | null
  /** As the agent last reported them, also while none is running. Null before its first start. */
  readonly capabilities: AgentCapabilities | null
  /** The agent's data from its last start; null while none is running. */
  readonly agent: RunningAgent | null
  /** Resolves when the prompt is stored; rejects when it cannot be stored. */
  readonly send: (input: PromptInput) => Promise<void>
  readonly cancel: () => Promise<void>
  readonly respond: (permissionId: string, answer: PermissionAnswer) => Promise<void>
  readonly answer: (questionId: string, answer: QuestionAnswer) => Promise<void>
  readonly setConfig: (optionId: string, value: string | boolean) => Promise<void>
}

/** The part of a view that is folded from events. */
type FoldedView = Pick<
  SessionView,
  | 'title'
  | 'status'
  | 'settings'
  | 'activity'
  | 'turnId'
  | 'lastTurnId'
  | 'permissions'
  | 'questions'
  | 'plan'
  | 'queue'
  | 'isQueuePaused'
  | 'isArchived'
  | 'options'
  | 'modes'
  | 'commands'
  | 'usage'
  | 'capabilities'
  | 'agent'
>

export function foldedView(transcript: Transcript): FoldedView {
  const { title, status, settings, plan, queue, isQueuePaused, isArchived } = transcript
  const { configOptions: options, modes, commands, usage, capabilities, agent } = transcript
  return {
    title,
    status,
    settings,
    activity: activityOf(transcript),
    turnId: transcript.turn?.turnId,
    lastTurnId: transcript.lastTurnId,
    permissions: open(transcript, 'permission', transcript.openPermissions),
    questions: open(transcript, 'question', transcript.openQuestions),
    plan,
    queue,
    isQueuePaused: isQueuePaused && queue.length > 0,
    isArchived,
    options,
    modes,
    commands,
    usage,
    capabilities,
    agent,
  }
}

/** The changed view, or the identical object. Lists are kept when their entries are equal. */
export function changedView(view: SessionView, changes: Partial<SessionView>): SessionView {
  const isChanged = Object.entries(changes).some(
    ([name, value]) => !isSame(view[name as keyof SessionView], value),
  )
  return isChanged ? { ...view, ...changes } : view
}

function open<Type extends 'permission' | 'question'>(
  transcript: Transcript,
  type: Type,
  ids: ReadonlySet<string>,
): Extract<Item, { type: Type }>[] {
  return [...ids].flatMap((id) => findItemOf(transcript, type, `${type}:${id}`) ?? [])
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
  return a.every((entry, place) => entry === b[place])
}
