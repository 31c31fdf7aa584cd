// The unified diff of two whole texts, with the numbers of added and removed lines. The hub makes it before it truncates
// the texts of an edit.
import { compareLines, type LineEdit } from './compare-lines.js'

export type UnifiedDiff = {
  /** Hunks with three lines of context, without a header. Undefined when there are more lines than people can view. */
  readonly patch: string | undefined
  readonly added: number
  readonly removed: number
}

const CONTEXT_LINES = 3
/** Of both texts, between their equal beginnings and ends. More lines are all counted as changed. */
const MAX_COMPARED_LINES = 130_000
/** A file of 50,000 lines can be viewed when all of them change. */
const MAX_SHOWN_LINES = 100_000
const MAX_SHOWN_CHARS = 12 * 1024 * 1024
const BLOCK_CHARS = 4_096

/** Line breaks of Windows and a missing last line break are no changes. */
export function unifiedDiff(oldText: string, newText: string): UnifiedDiff {
  const { start, oldEnd, newEnd } = changedRegion(oldText, newText)
  const [oldPart, newPart] = [oldText.slice(start, oldEnd), newText.slice(start, newEnd)]
  const all = { removed: countLines(oldPart), added: countLines(newPart) }
  if (all.removed + all.added > MAX_COMPARED_LINES) return { patch: undefined, ...all }
  const [oldLines, newLines] = [linesOf(oldPart), linesOf(newPart)]
  const edits = compareLines(oldLines, newLines)
  const added = edits.reduce((sum, { newStart, newEnd }) => sum + newEnd - newStart, 0)
  const removed = edits.reduce((sum, { oldStart, oldEnd }) => sum + oldEnd - oldStart, 0)
  if (added + removed > MAX_SHOWN_LINES) return { patch: undefined, added, removed }
  const sides = { oldLines, newLines, first: countLines(oldText.slice(0, start)) + 1 }
  const patch = groupEdits(edits)
    .map((group) => writeHunk(group, sides))
    .join('')
  return { patch: patch.length > MAX_SHOWN_CHARS ? undefined : patch, added, removed }
}

type Region = { readonly start: number; readonly oldEnd: number; readonly newEnd: number }

/** The lines between the equal beginnings and ends of both texts, and some equal lines around them. */
function changedRegion(oldText: string, newText: string): Region {
  const shorter = Math.min(oldText.length, newText.length)
  const head = equalAtStart(oldText, newText, shorter)
  let start = head
  for (let line = 0; line <= CONTEXT_LINES && start > 0; line++)
    start = start === 1 ? 0 : oldText.lastIndexOf('\n', start - 2) + 1
  let oldEnd = oldText.length - equalAtEnd(oldText, newText, shorter - head)
  for (let line = 0; line <= CONTEXT_LINES; line++) {
    const end = oldText.indexOf('\n', oldEnd) + 1
    if (end === 0) return { start, oldEnd: oldText.length, newEnd: newText.length }
    oldEnd = end
  }
  return { start, oldEnd, newEnd: newText.length - (oldText.length - oldEnd) }
}

/** The number of equal characters, at most `most`. Blocks are compared first, which is many times faster. */
function equalAtStart(a: string, b: string, most: number): number {
  const block = (text: string, at: number) => text.slice(at, at + BLOCK_CHARS)
  let at = 0
  while (at + BLOCK_CHARS <= most && block(a, at) === block(b, at)) at += BLOCK_CHARS
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at += 1
  return at
}

function equalAtEnd(a: string, b: string, most: number): number {
  const block = (text: string, at: number) =>
    text.slice(text.length - at - BLOCK_CHARS, text.length - at)
  let at = 0
  while (at + BLOCK_CHARS <= most && block(a, at) === block(b, at)) at += BLOCK_CHARS
  while (at < most && a.charCodeAt(a.length - 1 - at) === b.charCodeAt(b.length - 1 - at)) at += 1
  return at
}

function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return text.includes('\r') ? lines.map((line) => line.replace(/\r$/, '')) : lines
}

function countLines(text: string): number {
  let count = text === '' || text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** Edits whose context would touch are in one hunk. */
function groupEdits(edits: readonly LineEdit[]): LineEdit[][] {
  const groups: LineEdit[][] = []
  for (const edit of edits) {
    const last = groups.at(-1)
    const isNear = edit.oldStart - (last?.at(-1)?.oldEnd ?? 0) <= 2 * CONTEXT_LINES
    if (last && isNear) last.push(edit)
    else groups.push([edit])
  }
  return groups
}

type Sides = {
  readonly oldLines: readonly string[]
  readonly newLines: readonly string[]
  /** The number of the first of them in both texts. */
  readonly first: number
}

function writeHunk(edits: readonly LineEdit[], { oldLines, newLines, first }: Sides): string {
  const [oldAt, newAt] = [edits[0]?.oldStart ?? 0, edits[0]?.newStart ?? 0]
  const context = Math.min(CONTEXT_LINES, oldAt)
  const oldEnd = Math.min(oldLines.length, (edits.at(-1)?.oldEnd ?? 0) + CONTEXT_LINES)
  let [reached, grown, body] = [oldAt - context, 0, '']
  for (const edit of edits) {
    body += signed(' ', oldLines.slice(reached, edit.oldStart))
    body += signed('-', oldLines.slice(edit.oldStart, edit.oldEnd))
    body += signed('+', newLines.slice(edit.newStart, edit.newEnd))
    reached = edit.oldEnd
    grown += edit.newEnd - edit.newStart - (edit.oldEnd - edit.oldStart)
  }
  const oldCount = oldEnd - oldAt + context
  const oldRange = rangeOf(first + oldAt - context, oldCount)
  const newRange = rangeOf(first + newAt - context, oldCount + grown)
  return `@@ -${oldRange} +${newRange} @@\n${body}${signed(' ', oldLines.slice(reached, oldEnd))}`
}

function signed(sign: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${sign}${lines.join(`\n${sign}`)}\n`
}

/** A side without lines names the line before it. */
function rangeOf(start: number, count: number): string {
  return `${count === 0 ? start - 1 : start},${count}`
}
