// Compares two texts: hunks of changed lines with the changed words marked. Loaded when the first change is shown.
import { structuredPatch } from 'diff'
import { compareWords, type ComparedWords, type LinePart } from './changed-words.js'
import { hunkRows, type PatchLine } from './patch-rows.js'

export type ChangedLine = {
  readonly sign: ' ' | '-' | '+'
  readonly number: number
  readonly parts: readonly LinePart[]
}
/** `skipped` unchanged lines are left out before the hunk. */
export type Hunk = { readonly skipped: number; readonly lines: readonly ChangedLine[] }

/** Limits a comparison by its number of edits, which is the same on every machine, or by time. */
type Effort = { readonly maxEditLength: number } | { readonly timeout: number }

/** About 100 ms. Without a limit, two texts without a common line would block the page for seconds. */
const IN_PAGE: Effort = { maxEditLength: 800 }
const MAX_LINE_CHARS = 1_000

/** Undefined when the comparison exceeds `effort`. */
export function findHunks(
  oldText: string,
  newText: string,
  effort: Effort = IN_PAGE,
): readonly Hunk[] | undefined {
  const patch = structuredPatch('a', 'b', ended(oldText), ended(newText), undefined, undefined, {
    context: 3,
    ...effort,
    stripTrailingCr: true,
  })
  if (!patch) return undefined
  let reached = 1
  return patch.hunks.map(({ oldStart, newStart, oldLines, lines }) => {
    const skipped = Math.max(0, oldStart - reached)
    reached = oldStart + oldLines
    return { skipped, lines: linesOf(lines, oldStart, newStart) }
  })
}

/** Adds a missing last line break, so that it is not shown as a change. */
function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

function linesOf(raw: readonly string[], oldStart: number, newStart: number): ChangedLine[] {
  const compared = new Map<string, ComparedWords>()
  return hunkRows(raw, oldStart, newStart)
    .filter((row) => row.is === 'line')
    .map((line) => ({ sign: line.sign, number: line.number, parts: partsOf(line, compared) }))
}

/** The parts of a line; `compared` has the comparison when the other line of the pair was first. */
function partsOf(line: PatchLine, compared: Map<string, ComparedWords>): readonly LinePart[] {
  const { sign, text, other } = line
  const whole = [{ text, isChanged: false }]
  if (other === undefined || Math.max(text.length, other.length) > MAX_LINE_CHARS) return whole
  const [before, after] = sign === '-' ? [text, other] : [other, text]
  const key = `${before}\n${after}`
  const words = compared.get(key) ?? compareWords(before, after)
  compared.set(key, words)
  // Lines that share no word are unrelated, and not marked.
  const isSimilar = words.after.some(({ text, isChanged }) => !isChanged && text.trim() !== '')
  if (!isSimilar) return whole
  return sign === '-' ? words.before : words.after
}
