// Extracts the part of a text that shows why it was found, as plain text with the words marked.
import type { ExcerptPart } from '@quayside/protocol'
import { wordsIn } from './search-words.js'

const MAX_CHARS = 200
/** Text before the first word that was found. */
const LEAD_CHARS = 60

/** Begins near the first match; at the start of the text when no word matches. */
export function excerptOf(text: string, isMatch: (word: string) => boolean): ExcerptPart[] {
  const found = firstMatch(text, isMatch)
  const start = found <= LEAD_CHARS ? 0 : wordStart(text, found - LEAD_CHARS)
  const end = start + MAX_CHARS >= text.length ? text.length : wordEnd(text, start + MAX_CHARS)
  const parts: ExcerptPart[] = []
  const window = text.slice(start, end)
  let shown = 0
  for (const { 0: word, index } of wordsIn(window)) {
    if (!isMatch(word)) continue
    addPart(parts, window.slice(shown, index), false)
    addPart(parts, word, true)
    shown = index + word.length
  }
  addPart(parts, window.slice(shown), false)
  if (start > 0) parts.unshift({ text: '…', match: false })
  if (end < text.length) parts.push({ text: '…', match: false })
  return joinPlain(parts)
}

function firstMatch(text: string, isMatch: (word: string) => boolean): number {
  for (const { 0: word, index } of wordsIn(text)) if (isMatch(word)) return index
  return 0
}

function wordStart(text: string, from: number): number {
  const space = text.slice(from, from + LEAD_CHARS).search(/\s/)
  return space === -1 ? wholeCharacter(text, from) : from + space + 1
}

function wordEnd(text: string, to: number): number {
  const space = text.slice(to - LEAD_CHARS, to).search(/\s\S*$/)
  return space === -1 ? wholeCharacter(text, to) : to - LEAD_CHARS + space
}

/** Never cuts a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at + 1 : at
}

function addPart(parts: ExcerptPart[], text: string, match: boolean): void {
  const plain = text.replaceAll(/[\s\p{Cc}]+/gu, ' ')
  if (plain !== '') parts.push({ text: plain, match })
}

function joinPlain(parts: readonly ExcerptPart[]): ExcerptPart[] {
  const joined: ExcerptPart[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (last !== undefined && last.match === part.match && !part.match)
      joined[joined.length - 1] = { text: last.text + part.text, match: false }
    else joined.push(part)
  }
  return joined
}
