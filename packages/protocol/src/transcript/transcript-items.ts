// The items of a transcript.
// Ids derive from events only, so hub, SDK and page use the same id for an item.
import type {
  ContentBlock,
  PermissionOption,
  PermissionOutcome,
  PlanEntry,
  StopReason,
} from '../acp/acp.js'
import type { EventData, Failure } from '../events/events.js'
import type { ToolCall } from './tool-call.js'

type ItemBase = {
  readonly id: string
  /** The event that created it, and the last one that changed it. */
  readonly seq: number
  readonly updatedSeq: number
  readonly at: number
  readonly updatedAt: number
  readonly turnId?: string
  /** False while more of it is expected. */
  readonly done: boolean
}

/**
 * A prompt: `user:<turnId>`, or `replay:<seq>` when an agent replays a prompt that is not in this log.
 * It keeps the position where it was queued; `inReadingOrder` moves it to the start of its turn, or to the end of one that never started.
 */
export type UserItem = ItemBase & {
  readonly type: 'user'
  readonly text: string
  readonly blocks: readonly ContentBlock[]
  readonly by?: string
  /** True while it waits in the queue. */
  readonly waiting: boolean
  readonly startedSeq?: number
}
/** The part of a long text that a page leaves out: this many characters at this position. */
export type OmittedText = { readonly at: number; readonly chars: number }

export type TextItem = ItemBase & {
  readonly type: 'text'
  readonly text: string
  readonly omitted?: OmittedText
  readonly messageId?: string
}
export type ThoughtItem = ItemBase & {
  readonly type: 'thought'
  readonly text: string
  readonly omitted?: OmittedText
  readonly messageId?: string
}
/** Agent output other than text: an image, audio, a resource. */
export type ContentItem = ItemBase & { readonly type: 'content'; readonly block: ContentBlock }
export type ToolItem = ItemBase & { readonly type: 'tool'; readonly call: ToolCall }
export type PlanItem = ItemBase & { readonly type: 'plan'; readonly entries: readonly PlanEntry[] }
export type PermissionItem = ItemBase & {
  readonly type: 'permission'
  readonly permissionId: string
  /** The state of the call when the agent asked. */
  readonly toolCall: ToolCall
  readonly options: readonly PermissionOption[]
  readonly expiresAt?: string
  readonly outcome: PermissionOutcome | null
  readonly reason?: EventData['permission.resolved']['reason']
  readonly by?: string
}
export type QuestionItem = ItemBase & {
  readonly type: 'question'
  readonly questionId: string
  readonly message: string
  readonly mode: string
  readonly requestedSchema?: unknown
  readonly url?: string
  readonly expiresAt?: string
  readonly action: EventData['question.answered']['action'] | null
  readonly content?: Readonly<Record<string, unknown>>
  readonly reason?: string
  readonly by?: string
}
export type TurnEndItem = ItemBase & {
  readonly type: 'turn_end'
  readonly stopReason?: StopReason
  readonly error?: Failure
  readonly usage?: unknown
  readonly durationMs?: number
  /** The principal that stopped it. */
  readonly by?: string
  readonly reason?: NonNullable<EventData['turn.ended']['reason']>
  /** The turn has only thoughts: it ended without an answer. */
  readonly empty: boolean
}
export type NoticeItem = ItemBase & {
  readonly type: 'notice'
  readonly severity: EventData['notice']['severity']
  readonly code: string
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

export type Item =
  | UserItem
  | TextItem
  | ThoughtItem
  | ContentItem
  | ToolItem
  | PlanItem
  | PermissionItem
  | QuestionItem
  | TurnEndItem
  | NoticeItem

export type ItemType = Item['type']
export type ItemOf<Type extends ItemType> = Extract<Item, { type: Type }>

export function toolItemId(turnId: string | undefined, toolCallId: string): string {
  return `tool:${turnKey(turnId)}:${toolCallId}`
}

export function planItemId(turnId: string | undefined): string {
  return `plan:${turnKey(turnId)}`
}

/**
 * The final text of a turn: the text after its last tool call, else all of its text.
 * Thoughts, plans and images are never in it.
 */
export function finalText(items: readonly Item[], turnId: string): string {
  const ofTurn = items.filter((item) => item.turnId === turnId)
  const lastTool = ofTurn.findLastIndex((item) => item.type === 'tool')
  return joinTexts(ofTurn.slice(lastTool + 1)) || joinTexts(ofTurn)
}

/** The items with each prompt at the start of its turn, and the queued prompts at the end. */
export function inReadingOrder(items: readonly Item[]): readonly Item[] {
  return items.toSorted((a, b) => placeOf(a) - placeOf(b) || a.seq - b.seq)
}

// Clients choose turn ids: a colon in one, or the id "none", must not make two calls equal.
function turnKey(turnId: string | undefined): string {
  if (turnId === 'none') return '%none'
  return turnId?.replaceAll(':', '%3A') ?? 'none'
}

function joinTexts(items: readonly Item[]): string {
  let joined = ''
  let previous: TextItem | undefined
  for (const item of items) {
    if (item.type !== 'text') continue
    const isSameMessage = item.messageId !== undefined && item.messageId === previous?.messageId
    if (!isSameMessage && item.text.trim() === '') continue
    joined += previous === undefined || isSameMessage ? item.text : `\n\n${item.text}`
    previous = item
  }
  return joined
}

/** The position in reading order; items at the same position are ordered by `seq`. */
export function placeOf(item: Item): number {
  if (item.type !== 'user') return item.seq
  if (item.waiting) return Number.MAX_SAFE_INTEGER
  // A prompt that was never sent has its place where it left the queue.
  return item.startedSeq ?? (item.turnId === undefined ? item.seq : item.updatedSeq)
}
