// Summarises a turn for its last line: the number of files it read, and its changes.
import type { Item, ToolItem } from '@quayside/protocol'
import { countLines } from '../../code/entry-diff.js'

export type TurnWork = {
  readonly read: number
  readonly changed: number
  /** Lines of all changes. */
  readonly added: number
  readonly removed: number
  /** Also commands may change files. */
  readonly mayHaveChanged: boolean
}

const CHANGING = new Set(['edit', 'delete', 'move', 'execute'])

/** `items` may include other turns. */
export function workOfTurn(items: readonly Item[], turnId: string | undefined): TurnWork {
  const done = items.filter(
    (item): item is ToolItem =>
      item.type === 'tool' && item.turnId === turnId && item.call.status === 'completed',
  )
  const read = done.filter(({ call }) => call.kind === 'read').flatMap(pathsOf)
  const diffs = done.flatMap(({ call }) => call.content.filter((entry) => entry.type === 'diff'))
  return {
    read: new Set(read).size,
    changed: new Set(diffs.map(({ path }) => path)).size,
    ...countLines(diffs),
    mayHaveChanged: diffs.length > 0 || done.some(({ call }) => CHANGING.has(call.kind)),
  }
}

function pathsOf({ call: { locations, title } }: ToolItem): string[] {
  return locations.length > 0 ? locations.map(({ path }) => path) : [title]
}
