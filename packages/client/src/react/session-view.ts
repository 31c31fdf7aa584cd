// What a component sees of a session beside its rows: one object that stays the same until something in it changes.
import {
  activityOf,
  type Activity,
  type AvailableCommand,
  type ConfigOption,
  type EventData,
  type Item,
  type PermissionItem,
  type PlanEntry,
  type QuestionItem,
  type QueuedTurn,
  type SessionModes,
  type SessionStatus,
  type SessionSummary,
  type Transcript,
  type Usage,
} from '@quayside/protocol'
import type { AgentSession, PermissionAnswer, QuestionAnswer } from '../agent-session.js'
import type { ClientError } from '../client-error.js'
import type { PromptInput } from '../prompt-input.js'

export type SessionView = {
  /** `missing`: there is no such session. `failed`: `error` says why it cannot be followed. */
  readonly is: 'loading' | 'ready' | 'missing' | 'failed'
  readonly error: ClientError | undefined
  /** Once it is open. */
  readonly session: AgentSession | undefined
  readonly info: SessionSummary | undefined
  readonly title: string | null
  readonly status: SessionStatus
  /** Of the session, as they were saved last. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly activity: Activity
  /** The turn that runs. */
  readonly turnId: string | undefined
  /** The turn that ended last. */
  readonly lastTurnId: string | undefined
  /** What waits for an answer, oldest first. */
  readonly permissions: readonly PermissionItem[]
  readonly questions: readonly QuestionItem[]
  readonly plan: readonly PlanEntry[]
  readonly queue: readonly QueuedTurn[]
  /** Somebody stopped the work: what waits starts when somebody sends it. */
  readonly isQueuePaused: boolean
  readonly isArchived: boolean
  readonly options: readonly ConfigOption[]
  readonly modes: SessionModes | null
  readonly commands: readonly AvailableCommand[]
  readonly usage: Usage | null
  /** What the agent said of itself when it was started last; null while none runs. */
  readonly agent: EventData['agent.started'] | null
  /** Resolves when the prompt is stored; rejects when it could not be. */
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
  | 'agent'
>

export function foldedView(transcript: Transcript): FoldedView {
  const { title, status, settings, plan, queue, isQueuePaused, isArchived } = transcript
  const { configOptions, modes, commands, usage, agent } = transcript
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
    options: configOptions,
    modes,
    commands,
    usage,
    agent,
  }
}

/** The view with what changed, or the very same view. Lists are the same when their entries are. */
export function changedView(view: SessionView, changes: Partial<SessionView>): SessionView {
  const isChanged = Object.entries(changes).some(
    ([name, value]) => !isSame(view[name as keyof SessionView], value),
  )
  return isChanged ? { ...view, ...changes } : view
}

function open<Type extends 'permission' | 'question'>(
  { items, index }: Transcript,
  type: Type,
  ids: ReadonlySet<string>,
): Extract<Item, { type: Type }>[] {
  return [...ids].flatMap((id) => {
    const item = items[index.get(`${type}:${id}`) ?? -1]
    return item?.type === type ? [item as Extract<Item, { type: Type }>] : []
  })
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
  return a.every((entry, place) => entry === b[place])
}
