// The title of a session, from any source: one line without control characters.

export const MAX_TITLE_CHARS = 200

/** Spaces replace line breaks and tabs; other control characters are removed. */
export function plainTitle(text: string): string {
  return text
    .replaceAll(/[\t\n\v\f\r]+/g, ' ')
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
}

/** Ends a longer title with an ellipsis, not in the middle of a character. */
export function cutTitle(title: string, maxChars: number = MAX_TITLE_CHARS): string {
  if (title.length <= maxChars) return title
  const cut = title.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/, '')
  return `${cut.trimEnd()}…`
}
