// What a person typed into a search, as an expression of FTS5 and as words to mark. Any text is a search; none is an error.

/** As SQLite's unicode61 sees it: what is between is never searched. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu
const MAX_PHRASES = 16
const MAX_WORD_CHARS = 64

/** Shorter ones begin too many words to be of use, except where a sentence is written without spaces. */
const MIN_PREFIX_CHARS = 3
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u

export type SearchWords = {
  /** For MATCH: all phrases, in any order. */
  readonly exact: string
  /** The same with the last word as the beginning of a word; absent when that is too short. */
  readonly prefix?: string
  /** The last phrase alone. */
  readonly last: { readonly exact: string; readonly chars: number }
  readonly isMatch: (word: string) => boolean
}

/** Words without a space between them, as in `session.ts`, are a phrase. Undefined when there is no word at all. */
export function readSearch(text: string): SearchWords | undefined {
  const phrases = text
    .split(/\s+/)
    .map((part) => part.match(WORD)?.map((word) => word.slice(0, MAX_WORD_CHARS)) ?? [])
    .filter((words) => words.length > 0)
    .slice(0, MAX_PHRASES)
    .map((words) => words.slice(0, MAX_PHRASES))
  const lastWord = phrases.at(-1)?.at(-1)
  if (lastWord === undefined) return undefined
  const quoted = phrases.map((words) => `"${words.join(' ')}"`)
  const exact = quoted.join(' AND ')
  const words = new Set(phrases.flat().map(fold))
  const beginning = fold(lastWord)
  const last = { exact: quoted.at(-1) ?? '', chars: beginning.length }
  if (beginning.length < MIN_PREFIX_CHARS && !UNSPACED.test(beginning))
    return { exact, last, isMatch: (word) => words.has(fold(word)) }
  return {
    exact,
    prefix: `${exact} *`,
    last,
    isMatch: (word) => {
      const folded = fold(word)
      return words.has(folded) || folded.startsWith(beginning)
    },
  }
}

/** The words of a text with their places. */
export function wordsIn(text: string): IterableIterator<RegExpExecArray> {
  return text.matchAll(WORD)
}

const ASCII = /^[\0-\x7F]*$/

function fold(word: string): string {
  const lower = word.toLowerCase()
  return ASCII.test(lower) ? lower : lower.normalize('NFD').replaceAll(/\p{M}/gu, '')
}
