// Turns git's unified diff of one file into the rows that are shown.

export type PatchLine = {
  readonly is: 'line'
  readonly sign: ' ' | '+' | '-'
  /** In the new file; of a removed line in the old one. */
  readonly number: number
  /** Of a line that is in both: where it was in the old file. */
  readonly before?: number
  readonly text: string
  /** The line it replaces, or that replaces it: what differs between the two is marked. */
  readonly other?: string
}

/** Lines of the new file that are the same in both, and left out; `to` is open after the last change. */
export type PatchGap = {
  readonly is: 'gap'
  readonly from: number
  readonly to: number | undefined
  /** How much further down they were in the old file. */
  readonly shift: number
  /** git's note of what encloses the lines that follow. */
  readonly text: string
}

export type PatchRow = PatchLine | PatchGap | { readonly is: 'note'; readonly text: string }

type Run = { removed: PatchLine[]; added: PatchLine[] }

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/

export function patchRows(patch: string): PatchRow[] {
  const rows: PatchRow[] = []
  let run: Run = { removed: [], added: [] }
  let [before, after] = [1, 1]
  const endRun = () => {
    rows.push(...paired(run))
    run = { removed: [], added: [] }
  }
  for (const line of linesOf(patch)) {
    const hunk = HUNK.exec(line)
    if (hunk) {
      endRun()
      const [, oldStart, oldLines, newStart, newLines, text = ''] = hunk
      const start = startOf(newStart, newLines)
      rows.push({ is: 'gap', from: after, to: start - 1, shift: before - after, text })
      ;[before, after] = [startOf(oldStart, oldLines), start]
      continue
    }
    // Everything before the first hunk is git's head of the patch.
    if (rows.length === 0) continue
    const text = line.slice(1)
    if (line.startsWith('-')) run.removed.push({ is: 'line', sign: '-', number: before++, text })
    else if (line.startsWith('+')) run.added.push({ is: 'line', sign: '+', number: after++, text })
    else {
      endRun()
      if (line.startsWith('\\')) rows.push({ is: 'note', text: text.trim() })
      else rows.push({ is: 'line', sign: ' ', number: after++, before: before++, text })
    }
  }
  endRun()
  if (rows.length === 0) return rows
  return [...rows, { is: 'gap', from: after, to: undefined, shift: before - after, text: '' }]
}

/** Without lines of its own a hunk is named by the line before it. */
function startOf(line: string | undefined, lines: string | undefined): number {
  return Number(line) + (lines === '0' ? 1 : 0)
}

/** Lines that were replaced are shown against those that replace them, in their order. */
function paired({ removed, added }: Run): PatchLine[] {
  const against = (lines: readonly PatchLine[], others: readonly PatchLine[]) =>
    lines.map((line, at) => {
      const other = others[at]?.text
      return other === undefined ? line : { ...line, other }
    })
  return [...against(removed, added), ...against(added, removed)]
}

function linesOf(patch: string): string[] {
  const lines = patch.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}
