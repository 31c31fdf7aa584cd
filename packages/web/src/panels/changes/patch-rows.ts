// Turns git's unified diff of one file into the rows that are shown.

export type PatchLine = {
  readonly is: 'line'
  readonly sign: ' ' | '+' | '-'
  /** In the new file; of a removed line in the old one. */
  readonly number: number
  readonly text: string
  /** The line it replaces, or that replaces it: what differs between the two is marked. */
  readonly other?: string
}

export type PatchRow =
  | PatchLine
  /** Where the next lines are, and git's note of what encloses them. */
  | { readonly is: 'hunk'; readonly text: string }
  | { readonly is: 'note'; readonly text: string }

type Run = { removed: PatchLine[]; added: PatchLine[] }

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/

export function patchRows(patch: string): PatchRow[] {
  const rows: PatchRow[] = []
  let run: Run = { removed: [], added: [] }
  let [before, after] = [0, 0]
  const endRun = () => {
    rows.push(...paired(run))
    run = { removed: [], added: [] }
  }
  for (const line of linesOf(patch)) {
    const hunk = HUNK.exec(line)
    if (hunk) {
      endRun()
      ;[before, after] = [Number(hunk[1]), Number(hunk[2])]
      rows.push({ is: 'hunk', text: line })
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
      else rows.push({ is: 'line', sign: ' ', number: (before++, after++), text })
    }
  }
  endRun()
  return rows
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
