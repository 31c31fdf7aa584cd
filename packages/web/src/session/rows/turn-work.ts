// Summarises a turn for its last line: the number of files it read, and its changes.
import type { Item, ToolItem } from '@quayside/protocol'

export type TurnWork = {
  readonly read: number
  readonly changed: number
  /** All changes joined: the text before, and the text after. */
  readonly oldText: string
  readonly newText: string
}

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
    oldText: diffs.map(({ oldText }) => oldText ?? '').join('\n'),
    newText: diffs.map(({ newText }) => newText).join('\n'),
  }
}

function pathsOf({ call: { locations, title } }: ToolItem): string[] {
  return locations.length > 0 ? locations.map(({ path }) => path) : [title]
}
