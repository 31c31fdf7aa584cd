// Counts added and removed lines for the header of a change, in one pass over the lines.
import { diffLines } from '@quayside/protocol'

export type LineCount = { readonly added: number; readonly removed: number }

/** A line that was both removed and added counts as kept, so that lines between two changes are not counted. */
export function countLines(oldText: string, newText: string): LineCount {
  const lines = diffLines(oldText, newText)
  const removed = lines.filter(({ sign }) => sign === '-').map(({ text }) => text)
  const added = lines.filter(({ sign }) => sign === '+').map(({ text }) => text)
  const kept = inBoth(removed, added)
  const isReordered = kept === removed.length && kept === added.length
  if (isReordered) return { added: added.length, removed: removed.length }
  return { added: added.length - kept, removed: removed.length - kept }
}

function inBoth(before: readonly string[], after: readonly string[]): number {
  const left = new Map<string, number>()
  for (const text of before) left.set(text, (left.get(text) ?? 0) + 1)
  return after.filter((text) => {
    const count = left.get(text) ?? 0
    left.set(text, count - 1)
    return count > 0
  }).length
}
