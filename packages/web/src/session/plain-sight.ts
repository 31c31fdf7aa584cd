// Makes characters visible that could hide what a command really does: controls, joiners, direction marks.

const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** The text with each hidden character as its code, such as `\u202e`; tabs and line breaks stay. */
export function inPlainSight(text: string): string {
  return text.replaceAll(HIDDEN, (character) => {
    if (character === '\n' || character === '\t') return character
    const code = (character.codePointAt(0) ?? 0).toString(16)
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
  })
}
