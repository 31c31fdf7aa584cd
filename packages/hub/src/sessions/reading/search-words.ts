// Reads a search as phrases of words, and as the words to mark. Any text is a valid search.

/** A word as SQLite's unicode61 tokenizer sees it; the characters in between are never searched. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu
const MAX_PHRASES = 16
const MAX_WORD_CHARS = 64

/** Shorter prefixes match too many words to be useful, except in scripts that are written without spaces. */
const MIN_PREFIX_CHARS = 3
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u

export type SearchWords = {
  /** Never empty, and neither is a phrase. */
  readonly phrases: readonly (readonly string[])[]
  /** The last word may also be the beginning of a word. */
  readonly mayBePrefix: boolean
  /** Letters of the last word, without their marks. */
  readonly lastWordChars: number
  /** The words of a text that were searched for, with their positions. */
  readonly matchesIn: (text: string) => Iterable<RegExpExecArray>
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
  const words = new Set(phrases.flat().map(fold))
  const beginning = fold(lastWord)
  const mayBePrefix = beginning.length >= MIN_PREFIX_CHARS || UNSPACED.test(beginning)
  function isMatch(word: string): boolean {
    const folded = fold(word)
    return words.has(folded) || (mayBePrefix && folded.startsWith(beginning))
  }
  return {
    phrases,
    mayBePrefix,
    lastWordChars: beginning.length,
    *matchesIn(text) {
      for (const word of text.matchAll(WORD)) if (isMatch(word[0])) yield word
    },
  }
}

const ASCII = /^[\0-\x7F]*$/

function fold(word: string): string {
  const lower = word.toLowerCase()
  return ASCII.test(lower) ? lower : lower.normalize('NFD').replaceAll(/\p{M}/gu, '')
}
