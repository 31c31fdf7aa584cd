// The width of a text in columns of a terminal, and a cut to such a width.

/** Characters that take two columns: East Asian scripts and emoji. */
const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u
/** Marks that combine with the character before them. */
const NARROW = /[\p{Mn}\p{Me}\p{Cf}]/u

export function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += columnsOf(character)
  return width
}

/** The text, or its beginning with an ellipsis. */
export function cutToWidth(text: string, max: number): string {
  if (widthOf(text) <= max) return text
  let width = 1
  let kept = ''
  for (const character of text) {
    width += columnsOf(character)
    if (width > max) break
    kept += character
  }
  return `${kept.trimEnd()}…`
}

export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

function columnsOf(character: string): number {
  if (character <= '~') return 1
  if (NARROW.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}
