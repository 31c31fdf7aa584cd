// A change as hunks with the changed words marked; loaded when the first change is shown.
import { diffWordsWithSpace, structuredPatch } from 'diff'

type WordPart = { readonly text: string; readonly isChanged: boolean }
export type ChangedLine = {
  readonly sign: ' ' | '-' | '+'
  readonly number: number
  readonly parts: readonly WordPart[]
}
/** A gap before a line: so many lines are left out. */
export type Hunk = { readonly skipped: number; readonly lines: readonly ChangedLine[] }

/** How much may be compared. Time differs between machines and moments, a number of edits does not. */
type Effort = { readonly maxEditLength: number } | { readonly timeout: number }

/** A change that differs everywhere would take seconds to compare, and nothing else is drawn meanwhile: this takes some 100 ms. */
const IN_PAGE: Effort = { maxEditLength: 800 }
const MAX_LINE_CHARS = 1_000

/** Undefined when it would take too long. */
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

/** A missing last line end is not what people look for in a diff. */
function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

function linesOf(raw: readonly string[], oldStart: number, newStart: number): ChangedLine[] {
  const numbers = { ' ': newStart, '-': oldStart, '+': newStart }
  const lines = raw.flatMap((line): ChangedLine[] => {
    const sign = line[0]
    if (sign !== ' ' && sign !== '-' && sign !== '+') return []
    const number = numbers[sign]
    if (sign !== '-') numbers['+'] = numbers[' '] = number + 1
    if (sign !== '+') numbers['-'] += 1
    return [{ sign, number, parts: [{ text: line.slice(1), isChanged: false }] }]
  })
  return withWords(lines)
}

/** Removed lines are compared with the added ones that follow them, one by one. */
function withWords(lines: ChangedLine[]): ChangedLine[] {
  for (let start = 0; start < lines.length; start += 1) {
    if (lines[start]?.sign !== '-') continue
    const removed = runLength(lines, start, '-')
    const added = runLength(lines, start + removed, '+')
    for (let index = 0; index < Math.min(removed, added); index += 1)
      markWords(lines, start + index, start + removed + index)
    start += removed + added - 1
  }
  return lines
}

function runLength(lines: readonly ChangedLine[], start: number, sign: '-' | '+'): number {
  const end = lines.findIndex((line, index) => index >= start && line.sign !== sign)
  return (end === -1 ? lines.length : end) - start
}

function markWords(lines: ChangedLine[], removed: number, added: number): void {
  const before = lines[removed]
  const after = lines[added]
  if (!before || !after) return
  const [oldText, newText] = [textOf(before), textOf(after)]
  if (oldText.length > MAX_LINE_CHARS || newText.length > MAX_LINE_CHARS) return
  const changes = diffWordsWithSpace(oldText, newText)
  const same = changes.reduce(
    (sum, { added, removed, value }) => sum + (added || removed ? 0 : value.trim().length),
    0,
  )
  // Lines with nothing in common are simply other lines.
  if (same === 0) return
  const parts = (isOther: 'added' | 'removed') =>
    changes
      .filter((change) => !change[isOther])
      .map(({ value, added, removed }) => ({ text: value, isChanged: added || removed }))
  lines[removed] = { ...before, parts: parts('added') }
  lines[added] = { ...after, parts: parts('removed') }
}

function textOf({ parts }: ChangedLine): string {
  return parts.map(({ text }) => text).join('')
}
