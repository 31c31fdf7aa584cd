// Splits texts into the words that PostgreSQL searches. The hub splits them, not the database, so that both engines find the same words
// with any language settings.

/** Letters and digits, as SQLite's unicode61 tokenizer sees them. */
const WORD = /[\p{L}\p{N}\p{Co}]+/gu
/** PostgreSQL refuses words of more than 2 kB. */
const MAX_WORD_CHARS = 255

function foldWords(text: string): string[] {
  const folded = text.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '')
  return folded.match(WORD)?.map((word) => word.slice(0, MAX_WORD_CHARS)) ?? []
}

/** A `tsvector` with the positions of the words. PostgreSQL keeps 256 positions of a word, and none above 16,383. */
export function toVector(text: string): string {
  const positions = new Map<string, number[]>()
  for (const [index, word] of foldWords(text).entries()) {
    const known = positions.get(word)
    if (known) known.push(index + 1)
    else positions.set(word, [index + 1])
  }
  return [...positions].map(([word, places]) => `'${word}':${places.join()}`).join(' ')
}

/** A `tsquery`: all phrases, in any order; the words of a phrase follow each other. */
export function toQuery(phrases: readonly (readonly string[])[], isPrefix: boolean): string {
  const folded = phrases.map((words) => words.flatMap(foldWords)).filter(({ length }) => length > 0)
  const query = folded.map((words) => `(${words.map((word) => `'${word}'`).join(' <-> ')})`)
  const all = query.join(' & ')
  return isPrefix ? all.replace(/\)$/, ':*)') : all
}
