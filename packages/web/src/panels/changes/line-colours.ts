// Syntax highlighting of a diff: added and unchanged lines are parsed as one text, removed lines as another.
import type { CodeLine, CodeToken } from '../../code/highlight.js'
import type { LinePart } from '../../code/changed-words.js'
import type { PatchLine, PatchRow } from '../../code/patch-rows.js'

export type Colours = ReadonlyMap<PatchLine, CodeLine>

export type ColouredPart = LinePart & Pick<CodeToken, 'scope'>

/** Undefined when the language is unknown or the text too long. */
export async function colourLines(
  path: string,
  rows: readonly PatchRow[],
): Promise<Colours | undefined> {
  const { highlightFile } = await import('../../code/highlight.js')
  const lines = rows.filter((row) => row.is === 'line')
  const colours = new Map<PatchLine, CodeLine>()
  for (const isRemoved of [true, false]) {
    const side = lines.filter(({ sign }) => (sign === '-') === isRemoved)
    const coloured = highlightFile(path, side.map(({ text }) => text).join('\n'))
    coloured?.forEach((tokens, at) => {
      const line = side[at]
      if (line) colours.set(line, tokens)
    })
  }
  return colours.size > 0 ? colours : undefined
}

/** Splits a line at the boundaries of both changed words and tokens. */
export function colouredParts(
  parts: readonly LinePart[],
  tokens: CodeLine | undefined,
): readonly ColouredPart[] {
  if (tokens === undefined) return parts
  const merged: ColouredPart[] = []
  const left = tokens.map(({ text, scope }) => ({ text, scope }))
  for (const { text, isChanged } of parts) {
    let rest = text
    while (rest !== '') {
      const token = left[0]
      if (token === undefined) {
        merged.push({ text: rest, isChanged })
        break
      }
      const piece = rest.slice(0, token.text.length)
      if (piece !== '') merged.push({ text: piece, isChanged, scope: token.scope })
      rest = rest.slice(piece.length)
      token.text = token.text.slice(piece.length)
      if (token.text === '') left.shift()
    }
  }
  return merged
}
