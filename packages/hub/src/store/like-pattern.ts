// A search for a text in stored JSON, as a pattern of SQL's LIKE.

export const LIKE_ESCAPE = '!'

/**
 * Matches the JSON of every text that contains the wanted one, and few others. LIKE knows upper and lower case of ASCII alone, so any
 * other letter stands for one character.
 */
export function likePattern(wanted: string): string {
  const parts = wanted.split(/\s+/).map((part) =>
    JSON.stringify(part)
      .slice(1, -1)
      .replaceAll(/[!%_]/g, `${LIKE_ESCAPE}$&`)
      .replaceAll(/[^\0-\x7F]/gu, '_'),
  )
  return `%${parts.join('%')}%`
}
