// A transcript as JSON, so that a fold goes on in the middle of a log: from a checkpoint, which has the items that later events
// can change, or from a part of a timeline.
import { isAnswered } from './fold-turn.js'
import { type Item, planItemId, type ToolItem } from './transcript-items.js'
import {
  emptyTranscript,
  mayChange,
  type RunningTurn,
  type Transcript,
} from './transcript-state.js'

/** The state of a session besides its items. */
export type SessionState = Readonly<
  Omit<
    Transcript,
    'items' | 'index' | 'openPermissions' | 'openQuestions' | 'terminals' | 'recentCalls'
  >
> & {
  readonly openPermissions: readonly string[]
  readonly openQuestions: readonly string[]
  readonly terminals: readonly (readonly [string, Value<Transcript['terminals']>])[]
  readonly recentCalls: readonly (readonly [string, number])[]
}

/**
 * Calls that ended last are saved by id alone. Their content is unknown to a fold that begins here, and they do not change
 * any more after `LATE_EVENTS` events.
 */
export type SavedTranscript = SessionState & { readonly items: readonly Item[] }

type Value<Entries> = Entries extends ReadonlyMap<string, infer Any> ? Any : never

/** Drops the items that no later event changes. */
export function forgetSettled(transcript: Transcript): void {
  const { items, index } = transcript
  transcript.turn = runningTurn(transcript)
  const kept = items.filter((item) => isOpen(transcript, item) || isRecent(transcript, item))
  items.length = 0
  index.clear()
  for (const item of kept) {
    index.set(item.id, items.length)
    items.push(item)
  }
}

/** True for an item that the next event may change, apart from calls that have just ended. */
export function isOpen(transcript: Transcript, item: Item): boolean {
  const { run, turn, lastTurnId } = transcript
  if (!item.done || item.id === run?.itemId) return true
  switch (item.type) {
    case 'user':
      // A reader begins with the prompt of the running turn, or of the last one.
      return item.waiting || isTurn(item.turnId, turn?.turnId ?? lastTurnId)
    case 'tool':
      return item.call.terminals?.some(({ isRunning }) => isRunning) ?? false
    case 'plan':
      return item.id === planItemId(undefined) || (turn === null && item.turnId === lastTurnId)
    case 'turn_end':
      return turn === null && item.turnId === lastTurnId
    default:
      return false
  }
}

function isTurn(turnId: string | undefined, wanted: string | undefined): boolean {
  return turnId !== undefined && turnId === wanted
}

/** True for a tool call that has just ended: its agent may still update it. */
export function isRecent(transcript: Transcript, item: Item): boolean {
  return item.type === 'tool' && item.done && mayChange(transcript, item)
}

/** Without the items, the state itself has to know whether the running turn has an answer. */
function runningTurn(transcript: Transcript): RunningTurn | null {
  const { turn } = transcript
  return turn !== null && isAnswered(transcript, turn.turnId) ? { ...turn, isAnswered: true } : turn
}

export function saveState(transcript: Transcript): SessionState {
  const { items: _, index: __, ...rest } = transcript
  const { terminals, openPermissions, openQuestions, recentCalls } = rest
  return {
    ...rest,
    turn: runningTurn(transcript),
    terminals: [...terminals],
    openPermissions: [...openPermissions],
    openQuestions: [...openQuestions],
    recentCalls: [...recentCalls],
  }
}

/** The transcript with these items, in any order, as it was when its state was saved. */
export function loadState(state: SessionState, items: readonly Item[]): Transcript {
  return emptyTranscript({
    ...state,
    items: items.toSorted((a, b) => a.seq - b.seq),
    terminals: new Map(state.terminals),
    openPermissions: new Set(state.openPermissions),
    openQuestions: new Set(state.openQuestions),
    recentCalls: new Map(state.recentCalls),
  })
}

export function saveTranscript(transcript: Transcript): SavedTranscript {
  const items = transcript.items.filter((item) => isOpen(transcript, item))
  return { ...saveState(transcript), items }
}

export function loadTranscript(saved: SavedTranscript): Transcript {
  const known = new Set(saved.items.map(({ id }) => id))
  const stubs = saved.recentCalls.filter(([id]) => !known.has(id)).map(stubOf)
  return loadState(saved, [...stubs, ...saved.items])
}

/** Stands for a call whose content is not saved, so that a late update does not begin it again. */
function stubOf([id, seq]: readonly [string, number]): ToolItem {
  const call = { toolCallId: id, title: '', kind: 'other', status: 'completed' } as const
  const dates = { seq, updatedSeq: seq, at: 0, updatedAt: 0 }
  return { type: 'tool', id, ...dates, done: true, call: { ...call, content: [], locations: [] } }
}
