// The selected lines of a review, all in one file.
import type { LineComment } from '../../drafts/line-comments.js'
import type { PatchLine } from '../../code/patch-rows.js'
import type { LineRow, ReviewRow } from './review-rows.js'
import { newId } from '../../shared/new-id.js'

/** The keys of the first and the last selected line; the last may be above the first. */
export type LineSelection = { readonly anchor: string; readonly head: string }

/** The selected rows in order. */
export function selectedRows(
  rows: readonly ReviewRow[],
  selection: LineSelection | undefined,
): readonly LineRow[] {
  if (!selection) return []
  const [a, b] = [selection.anchor, selection.head].map((wanted) =>
    rows.findIndex(({ key }) => key === wanted),
  )
  if (a === undefined || b === undefined || a < 0 || b < 0) return []
  const file = rows[a]?.file
  return rows
    .slice(Math.min(a, b), Math.max(a, b) + 1)
    .filter((row): row is LineRow => row.is === 'line' && row.file === file)
}

/** A comment on the lines; undefined when none are selected. */
export function commentOn(rows: readonly LineRow[], text: string): LineComment | undefined {
  const [first] = rows
  const last = rows.at(-1)
  const lines = rows.flatMap(linesOf)
  const isNew = ({ sign }: PatchLine) => sign !== '-'
  const numbered = lines.some(isNew) ? lines.filter(isNew) : lines
  const numbers = numbered.map(({ number }) => number)
  if (!first || !last || numbers.length === 0) return undefined
  const isMixed =
    new Set(lines.map(({ sign }) => sign)).size > 1 && lines.some((line) => !isNew(line))
  return {
    id: newId(),
    path: first.file.path,
    from: Math.min(...numbers),
    to: Math.max(...numbers),
    isOld: !lines.some(isNew),
    code: lines.map((line) => (isMixed ? `${line.sign}${line.text}` : line.text)).join('\n'),
    text,
    at: last.key,
  }
}

/** An unchanged line is on both sides and counts once. */
function linesOf({ left, right }: LineRow): PatchLine[] {
  const lines = left === right ? [right] : [left, right]
  return lines.filter((line) => line !== undefined)
}
