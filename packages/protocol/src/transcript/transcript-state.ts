// The state of the reducer, and the functions that add and replace items in it.
import type { AvailableCommand, ConfigOption, PlanEntry, SessionModes, Usage } from '../acp/acp.js'
import type { AgentCapabilities } from '../acp/agent-capabilities.js'
import type { EventData, SessionEvent, SessionStatus } from '../events/events.js'
import type { AgentTerminal } from './tool-call.js'
import type { Item, ItemOf, ItemType } from './transcript-items.js'

/**
 * Agents update a tool call that has ended, but soon: within this many events, and while it is among the last that ended. A fold
 * that begins in the middle of a log therefore needs no older ones.
 */
export const LATE_EVENTS = 200
const MAX_RECENT_CALLS = 32

export type RunningTurn = {
  readonly turnId: string
  readonly startedSeq: number
  readonly startedAt: number
  /** Items that are no longer in memory have an answer. */
  readonly isAnswered?: boolean
}

export type QueuedTurn = EventData['turn.queued'] & { readonly seq: number; readonly at: number }

/** The text that the next chunk may continue. */
export type OpenRun = {
  readonly itemId: string
  readonly type: 'user' | 'text' | 'thought'
  readonly turnId?: string
  readonly messageId?: string
}

/** The agent as it started, and whether it has reported since that it is signed out. */
export type RunningAgent = EventData['agent.started'] & { readonly isSignedOut?: boolean }

export type Transcript = {
  sessionId?: string
  /** The last event folded in. */
  seq: number
  /** In the order of their first events. Entries are replaced, never mutated; the array is never copied. */
  readonly items: Item[]
  /** Item id → position in `items`. */
  readonly index: Map<string, number>
  turn: RunningTurn | null
  /** The turn that ended last: late updates without a turn may still belong to it. */
  lastTurnId?: string
  queue: readonly QueuedTurn[]
  /** Queued turns do not start by themselves: a person stopped the work. The next turn that starts ends the pause. */
  isQueuePaused: boolean
  run: OpenRun | null
  readonly openPermissions: Set<string>
  readonly openQuestions: Set<string>
  status: SessionStatus
  title: string | null
  /** A person named the session; the agent's titles are ignored. */
  isTitleGiven: boolean
  /** The session's settings as last saved. */
  settings: Readonly<Record<string, unknown>>
  isArchived: boolean
  plan: readonly PlanEntry[]
  commands: readonly AvailableCommand[]
  modes: SessionModes | null
  configOptions: readonly ConfigOption[]
  usage: Usage | null
  /** As the agent last reported them, also while none is running. Null before its first start. */
  capabilities: AgentCapabilities | null
  /** The agent's terminals that are running or not yet shown by a tool call. */
  readonly terminals: Map<string, AgentTerminal>
  agent: RunningAgent | null
  /** The tool calls that ended last, by item, with the event of their end: only these may change after their end. */
  readonly recentCalls: Map<string, number>
  /** Updates in the log that could not be read. */
  unknownUpdates: number
}

/** The state before the first event, or with known state when folding begins in the middle of a log. */
export function emptyTranscript(known: Partial<Omit<Transcript, 'index'>> = {}): Transcript {
  const items = known.items ?? []
  return {
    seq: 0,
    turn: null,
    queue: [],
    isQueuePaused: false,
    run: null,
    openPermissions: new Set(),
    openQuestions: new Set(),
    status: 'active',
    title: null,
    isTitleGiven: false,
    settings: {},
    isArchived: false,
    plan: [],
    commands: [],
    modes: null,
    configOptions: [],
    usage: null,
    capabilities: null,
    terminals: new Map(),
    agent: null,
    recentCalls: new Map(),
    unknownUpdates: 0,
    ...known,
    items,
    index: new Map(items.map((item, position) => [item.id, position])),
  }
}

/** One event being folded in. */
export type Step = {
  readonly transcript: Transcript
  readonly event: SessionEvent
  readonly changed: Set<string>
}

type Dated = 'seq' | 'updatedSeq' | 'at' | 'updatedAt'
/** An item without the fields that come from its event; an explicit undefined `turnId` means unknown. */
export type NewItem<Any extends Item = Item> = Any extends Item
  ? Omit<Any, Dated | 'turnId'> & { readonly turnId: string | undefined }
  : never

export function addItem({ transcript, event, changed }: Step, newItem: NewItem): void {
  const { seq, at } = event
  // The spread comes last: adding fields to a copy takes many times as long.
  const item = { seq, updatedSeq: seq, at, updatedAt: at, ...withoutUnknownTurn(newItem) } as Item
  // A tool call that ended long ago begins again where the agent updates it.
  removeItem(transcript, item.id)
  transcript.index.set(item.id, transcript.items.length)
  transcript.items.push(item)
  changed.add(item.id)
  if (item.type === 'tool' && item.done) noteEnd(transcript, item.id)
}

function withoutUnknownTurn(item: NewItem): Partial<NewItem> {
  if (item.turnId !== undefined) return item
  const { turnId: _, ...rest } = item
  return rest
}

export function removeItem({ items, index }: Transcript, id: string): void {
  const known = index.get(id)
  if (known === undefined) return
  index.delete(id)
  for (const later of items.splice(known).slice(1)) {
    index.set(later.id, items.length)
    items.push(later)
  }
}

/** Replaces the item with a changed copy. */
export function changeItem<Any extends Item>(step: Step, item: Any, changes: Partial<Any>): void {
  const { transcript, event, changed } = step
  const position = transcript.index.get(item.id)
  if (position === undefined) return
  const { seq, at } = event
  transcript.items[position] = { ...item, ...changes, updatedSeq: seq, updatedAt: at }
  changed.add(item.id)
  if (item.type === 'tool' && !item.done && changes.done) noteEnd(transcript, item.id)
}

function noteEnd({ recentCalls, seq }: Transcript, id: string): void {
  recentCalls.delete(id)
  recentCalls.set(id, seq)
  for (const [oldest, endedSeq] of recentCalls) {
    if (recentCalls.size <= MAX_RECENT_CALLS && seq - endedSeq < LATE_EVENTS) return
    recentCalls.delete(oldest)
  }
}

/** The tool call, unless it ended too long ago to change. */
export function findCall(transcript: Transcript, id: string): ItemOf<'tool'> | undefined {
  const item = findItemOf(transcript, 'tool', id)
  return item !== undefined && mayChange(transcript, item) ? item : undefined
}

export function mayChange({ recentCalls, seq }: Transcript, item: ItemOf<'tool'>): boolean {
  if (!item.done || item.call.terminals?.some(({ isRunning }) => isRunning)) return true
  return seq - (recentCalls.get(item.id) ?? -LATE_EVENTS) < LATE_EVENTS
}

export function findItem({ index, items }: Transcript, id: string): Item | undefined {
  const position = index.get(id)
  return position === undefined ? undefined : items[position]
}

export function findItemOf<Type extends ItemType>(
  transcript: Transcript,
  type: Type,
  id: string,
): ItemOf<Type> | undefined {
  const item = findItem(transcript, id)
  return item !== undefined && isOfType(item, type) ? item : undefined
}

function isOfType<Type extends ItemType>(item: Item, type: Type): item is ItemOf<Type> {
  return item.type === type
}

/** Ends the open text: later chunks start a new item. */
export function closeRun(step: Step): void {
  const { run } = step.transcript
  if (run === null) return
  step.transcript.run = null
  const item = findItemOf(step.transcript, run.type, run.itemId)
  if (item !== undefined && !item.done) changeItem(step, item, { done: true })
}

export function isRunning(transcript: Transcript, turnId: string | undefined): boolean {
  return turnId !== undefined && transcript.turn?.turnId === turnId
}
