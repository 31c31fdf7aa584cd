// The title of a session, from any source: one line without control characters.

export const MAX_TITLE_CHARS = 200

/** One space replaces white space of any kind and length. Control characters and halves of characters are removed. */
export function plainTitle(text: string): string {
  const oneLine = text.replace(/\s+/g, ' ')
  return oneLine.replace(/[\p{Cc}\p{Cs}]/gu, '').trim()
}

/** A longer title ends with an ellipsis. */
export function cutTitle(text: string, maxChars = MAX_TITLE_CHARS): string {
  const title = plainTitle(text)
  return title.length > maxChars ? `${plainTitle(title.slice(0, maxChars - 1))}…` : title
}
