// Parses terminal output into coloured pieces of text. Sequences with other effects are dropped: titles, links, the
// clipboard (OSC 52), cursor moves. A line that was overwritten shows its last text.
import { asPlainText } from '@quayside/protocol'
import { createAnsiSequenceParser, type Color, type ParseToken } from 'ansi-sequence-parser'
import { ANSI_NAMES } from '../../shared/text/ansi-names.js'

export type AnsiPiece = {
  readonly text: string
  /** One of the 16 ANSI names, or a CSS colour. */
  readonly foreground: AnsiColor | undefined
  readonly background: AnsiColor | undefined
  readonly marks: readonly string[]
}
export type AnsiColor = { readonly name: string } | { readonly css: string }

// oxlint-disable-next-line no-control-regex
const STRINGS = /\u001B[\]PX^_][^\u0007\u001B]*(?:\u0007|\u001B\\|$)/g
// oxlint-disable-next-line no-control-regex
const MOVES = /\u001B\[[0-?]*[ -/]*[@-ln-~]|\u001B(?![[])[ -/]*[0-~]/g

export function readAnsi(output: string): AnsiPiece[] {
  const parser = createAnsiSequenceParser()
  // The parser does not know a reset without a number.
  const coloured = output
    .replaceAll(STRINGS, '')
    .replaceAll(MOVES, '')
    .replaceAll('\u001B[m', '\u001B[0m')
  return parser
    .parse(lastWritten(coloured))
    .map(pieceOf)
    .filter(({ text }) => text !== '')
}

/** The end of an output, from the beginning of a line. */
export function tailOf(output: string, lines: number): { text: string; left: number } {
  const all = output.replace(/\r?\n$/, '').split('\n')
  const left = Math.max(0, all.length - lines)
  return { text: all.slice(left).join('\n'), left }
}

/** Progress bars overwrite the same line many times. */
function lastWritten(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r', line.length - 2) + 1))
    .join('\n')
}

function pieceOf({ value, foreground, background, decorations }: ParseToken): AnsiPiece {
  return {
    text: asPlainText(value),
    foreground: colorOf(foreground),
    background: colorOf(background),
    // Text that an agent marks as hidden is shown.
    marks: [...decorations].filter((mark) => mark !== 'hidden'),
  }
}

function colorOf(color: Color | null): AnsiColor | undefined {
  if (color === null) return undefined
  if (color.type === 'named') return { name: color.name }
  if (color.type === 'rgb') return { css: `rgb(${color.rgb.map(Number).join(' ')})` }
  return tableColor(color.index)
}

/** The 256 colours: 16 names, a cube of six levels, and a ramp of greys. */
function tableColor(index: number): AnsiColor | undefined {
  const name = ANSI_NAMES[index]
  if (name !== undefined) return { name }
  if (index > 255) return undefined
  if (index >= 232) {
    const grey = (index - 232) * 10 + 8
    return { css: `rgb(${grey} ${grey} ${grey})` }
  }
  const level = (part: number) => (part === 0 ? 0 : part * 40 + 55)
  const cube = index - 16
  const [red, green, blue] = [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6]
  return { css: `rgb(${level(red)} ${level(green)} ${level(blue)})` }
}
