// A table for people at a terminal: a header, and rows that fit its width.
import { styleText } from 'node:util'
import type { CommandOutput } from './command-io.js'
import { cutToWidth, padToWidth, widthOf } from './text-width.js'

export type Style = Parameters<typeof styleText>[0]
export type Cell = { readonly text: string; readonly style?: Style }

const GAP = '  '
const MIN_COLUMN = 6

/** The widest columns give way until a row fits the terminal. */
export function formatTable(
  titles: readonly string[],
  rows: readonly (readonly Cell[])[],
  stream: CommandOutput,
): string {
  const header = titles.map((text): Cell => ({ text, style: 'dim' }))
  const all = [header, ...rows]
  const widths = titles.map((_, at) => Math.max(...all.map((row) => widthOf(row[at]?.text ?? ''))))
  shrink(widths, (stream.columns ?? 80) - GAP.length * (titles.length - 1))
  const lines = all.map((row) =>
    row
      .map(({ text, style }, at) => {
        const width = widths[at] ?? 0
        const cut = cutToWidth(text, width)
        const shown = at === row.length - 1 ? cut : padToWidth(cut, width)
        return style === undefined ? shown : styleText(style, shown, { stream })
      })
      .join(GAP)
      .trimEnd(),
  )
  return lines.join('\n')
}

function shrink(widths: number[], room: number): void {
  let total = widths.reduce((sum, width) => sum + width, 0)
  for (; total > room; total -= 1) {
    const widest = Math.max(...widths)
    if (widest <= MIN_COLUMN) return
    widths[widths.indexOf(widest)] = widest - 1
  }
}
