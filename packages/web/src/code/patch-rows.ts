// The rows of a unified diff of one file: numbered lines, each paired with the line it replaces, and the gaps between hunks.

export type PatchLine = {
  readonly is: 'line'
  readonly sign: ' ' | '+' | '-'
  /** The number in the new file; for a removed line, in the old file. */
  readonly number: number
  /** The number in the old file of an unchanged line. */
  readonly before?: number
  readonly text: string
  /** The text of the line that this one replaces or is replaced by; the words that differ are marked. */
  readonly other?: string
}

/** Unchanged lines that the diff omits, by their numbers in the new file; `to` is undefined after the last hunk. */
export type PatchGap = {
  readonly is: 'gap'
  readonly from: number
  readonly to: number | undefined
  /** Added to a number in the new file, this gives the number in the old file. */
  readonly shift: number
  /** The enclosing function, as git reports it in the head of a hunk. */
  readonly text: string
}

type PatchNote = { readonly is: 'note'; readonly text: string }
export type PatchRow = PatchLine | PatchGap | PatchNote

type Hunk = {
  readonly oldStart: number
  readonly newStart: number
  readonly text: string
  readonly lines: string[]
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/

/** The rows of git's output. Everything before the first hunk is git's header and has no rows. */
export function patchRows(patch: string): PatchRow[] {
  const rows: PatchRow[] = []
  let [before, after] = [1, 1]
  for (const { oldStart, newStart, text, lines } of hunksOf(patch)) {
    rows.push({ is: 'gap', from: after, to: newStart - 1, shift: before - after, text })
    for (const row of hunkRows(lines, oldStart, newStart)) rows.push(row)
    before = oldStart + lines.filter((line) => !/^[+\\]/.test(line)).length
    after = newStart + lines.filter((line) => !/^[-\\]/.test(line)).length
  }
  if (rows.length === 0) return rows
  return [...rows, { is: 'gap', from: after, to: undefined, shift: before - after, text: '' }]
}

/** The lines of one hunk in unified format. Removed lines are paired in order with the added lines that follow them. */
function hunkRows(
  lines: readonly string[],
  oldStart: number,
  newStart: number,
): (PatchLine | PatchNote)[] {
  const rows: (PatchLine | PatchNote)[] = []
  let [before, after] = [oldStart, newStart]
  let removed: PatchLine[] = []
  let added: PatchLine[] = []
  const endRun = () => {
    // Not by spreading: a hunk may have more lines than a call may have arguments.
    for (const line of paired(removed, added)) rows.push(line)
    for (const line of paired(added, removed)) rows.push(line)
    removed = []
    added = []
  }
  for (const line of lines) {
    const [sign, text] = [line[0], line.slice(1)]
    if (sign !== '+' && (sign !== '-' || added.length > 0)) endRun()
    if (sign === '-') removed.push({ is: 'line', sign, number: before++, text })
    else if (sign === '+') added.push({ is: 'line', sign, number: after++, text })
    else if (sign === '\\') rows.push({ is: 'note', text: text.trim() })
    else rows.push({ is: 'line', sign: ' ', number: after++, before: before++, text })
  }
  endRun()
  return rows
}

function hunksOf(patch: string): Hunk[] {
  const hunks: Hunk[] = []
  for (const line of linesOf(patch)) {
    const head = HUNK.exec(line)
    if (!head) {
      hunks.at(-1)?.lines.push(line)
      continue
    }
    const [, oldStart, oldLines, newStart, newLines, text = ''] = head
    hunks.push({
      oldStart: startOf(oldStart, oldLines),
      newStart: startOf(newStart, newLines),
      text,
      lines: [],
    })
  }
  return hunks
}

/** A hunk without lines on one side names the line before it. */
function startOf(line: string | undefined, lines: string | undefined): number {
  return Number(line) + (lines === '0' ? 1 : 0)
}

function paired(lines: readonly PatchLine[], others: readonly PatchLine[]): PatchLine[] {
  return lines.map((line, at) => {
    const other = others[at]?.text
    return other === undefined ? line : { ...line, other }
  })
}

function linesOf(patch: string): string[] {
  const lines = patch.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}
