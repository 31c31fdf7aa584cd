// Escapes characters that could hide or reorder a text, and removes colours.

const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
/** Controls, line separators and direction marks; joiners stay, because emoji and many scripts need them. */
const TURNING = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu
/** ANSI escape sequences: colours and cursor moves, window titles and links. */
const COLOURS =
  // oxlint-disable-next-line no-control-regex
  /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[()][0-9A-Z])/g

/** For commands and names: each hidden character becomes its code, such as `\u202e`; tabs and line breaks stay. */
export function escapeInvisible(text: string): string {
  return text.replaceAll(HIDDEN, codeOf)
}

/** For prose and output: removes colours and escapes characters that could reorder or overwrite the text. */
export function asPlainText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(COLOURS, '').replaceAll(TURNING, codeOf)
}

function codeOf(character: string): string {
  if (character === '\n' || character === '\t') return character
  const code = (character.codePointAt(0) ?? 0).toString(16)
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
}
