// The rows of the transcript: one per item, except that adjacent read-only calls share a row, and so does the finished
// work of a turn.
import { type Item, isSessionFailure, type ToolItem, type TurnEndItem } from '@quayside/protocol'

export type Row =
  | { readonly type: 'item'; readonly key: string; readonly id: string }
  /** One or more read-only tool calls in succession. */
  | { readonly type: 'tools'; readonly key: string; readonly ids: readonly string[] }
  /** The folded work of a turn before its answer. */
  | {
      readonly type: 'work'
      readonly key: string
      readonly turnId: string
      readonly steps: number
      readonly durationMs: number
      readonly isOpen: boolean
    }

export type RowsOptions = {
  readonly item: (id: string) => Item | undefined
  /** True for turns whose work may be folded, because no one is reading it. */
  readonly isSettled: (turnId: string) => boolean
  readonly isOpened: (turnId: string) => boolean
}

/** By the id of a row, or of an item in it. */
export function isInRow(row: Row, id: string): boolean {
  return row.key === id || (row.type === 'tools' && row.ids.includes(id))
}

/** Fewer steps are not folded. */
const FOLDED_STEPS = 8
const QUIET_KINDS: ReadonlySet<string> = new Set(['read', 'search', 'fetch', 'think'])

export function rowsOf(ids: readonly string[], options: RowsOptions): Row[] {
  const all = ids.flatMap((id) => options.item(id) ?? [])
  const removed = new Set(all.filter(isRemoval).map(({ turnId }) => turnId))
  const items = all
    .filter((item) => isShown(item) && !(item.turnId !== undefined && removed.has(item.turnId)))
    .filter((item, index, shown) => !isRepetition(item, shown[index - 1]))
  return turnsOf(items).flatMap((turn) => rowsOfTurn(turn, options))
}

/** Waiting prompts and open decisions are shown above the composer instead. */
function isShown(item: Item): boolean {
  if (item.type === 'user') return !item.waiting
  return !(item.type === 'permission' || item.type === 'question') || item.done
}

/** A prompt that was removed before it was sent. */
function isRemoval(item: Item): boolean {
  return item.type === 'turn_end' && item.error?.code === 'removed'
}

/** When an agent or the hub dies, the end of the turn and the end of the session report the same. */
function isRepetition(item: Item, before: Item | undefined): boolean {
  if (item.type !== 'notice' || item.code !== 'session_failed') return false
  return before?.type === 'turn_end' && before.error !== undefined && isSessionFailure(before.error)
}

/** Groups adjacent items of the same turn. */
function turnsOf(items: readonly Item[]): Item[][] {
  const turns: Item[][] = []
  for (const item of items) {
    const last = turns.at(-1)
    if (last !== undefined && last[0]?.turnId === item.turnId) last.push(item)
    else turns.push([item])
  }
  return turns
}

function rowsOfTurn(items: readonly Item[], options: RowsOptions): Row[] {
  const end = items.findLast((item) => item.type === 'turn_end')
  const turnId = end?.turnId
  if (end === undefined || turnId === undefined || !options.isSettled(turnId))
    return rowsOfItems(items)
  const { first, last } = workOf(items, end)
  const work = items.slice(first, last)
  if (!isLongWork(work)) return rowsOfItems(items)
  const steps = work.filter(isStep).length
  const isOpen = options.isOpened(turnId)
  const { durationMs = 0 } = end
  return [
    ...rowsOfItems(items.slice(0, first)),
    { type: 'work', key: `work:${turnId}`, turnId, steps, durationMs, isOpen },
    ...(isOpen ? rowsOfItems(work) : []),
    ...rowsOfItems(items.slice(last)),
  ]
}

/**
 * The steps up to the last tool call. A turn that was interrupted stays unfolded, because something may be wrong in it.
 */
function workOf(
  items: readonly Item[],
  { stopReason, error }: TurnEndItem,
): { first: number; last: number } {
  if (error !== undefined || stopReason !== 'end_turn') return { first: 0, last: 0 }
  const first = items.findIndex(({ type }) => type !== 'user')
  return { first, last: items.findLastIndex(({ type }) => type === 'tool') + 1 }
}

function rowsOfItems(items: readonly Item[]): Row[] {
  const rows: Row[] = []
  for (const item of items) {
    const last = rows.at(-1)
    if (item.type !== 'tool') rows.push({ type: 'item', key: item.id, id: item.id })
    else if (!isQuiet(item)) rows.push({ type: 'tools', key: item.id, ids: [item.id] })
    else if (last?.type === 'tools' && isQuietRow(last.ids, items))
      rows[rows.length - 1] = { ...last, ids: [...last.ids, item.id] }
    else rows.push({ type: 'tools', key: item.id, ids: [item.id] })
  }
  return rows
}

/** Of a turn, when it has ended: long work is folded. */
export function isLongWork(items: readonly Item[]): boolean {
  return items.filter(isStep).length >= FOLDED_STEPS
}

function isStep({ type }: Item): boolean {
  return type === 'tool'
}

function isQuiet({ call }: ToolItem): boolean {
  return QUIET_KINDS.has(call.kind)
}

function isQuietRow(ids: readonly string[], items: readonly Item[]): boolean {
  const first = items.find(({ id }) => id === ids[0])
  return first?.type === 'tool' && isQuiet(first)
}
