// The changed lines between two texts: equal lines at both ends are omitted, except for a little context.
// One block of changes, on purpose: it costs one pass over the lines for any input.

export type DiffLine = {
  readonly sign: ' ' | '-' | '+'
  readonly number: number
  readonly text: string
}

const CONTEXT_LINES = 3

export function diffLines(oldText: string, newText: string): DiffLine[] {
  const before = linesOf(oldText)
  const after = linesOf(newText)
  const head = equalLines(before, after)
  const tail = equalLines(before.slice(head).toReversed(), after.slice(head).toReversed())

  const start = Math.max(0, head - CONTEXT_LINES)
  const end = after.length - tail
  return [
    ...numbered(' ', after.slice(start, head), start),
    ...numbered('-', before.slice(head, before.length - tail), head),
    ...numbered('+', after.slice(head, end), head),
    ...numbered(' ', after.slice(end, end + CONTEXT_LINES), end),
  ]
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function equalLines(a: readonly string[], b: readonly string[]): number {
  const different = a.findIndex((line, index) => line !== b[index])
  return different === -1 ? Math.min(a.length, b.length) : different
}

function numbered(sign: DiffLine['sign'], lines: readonly string[], before: number): DiffLine[] {
  return lines.map((text, index) => ({ sign, number: before + index + 1, text }))
}
