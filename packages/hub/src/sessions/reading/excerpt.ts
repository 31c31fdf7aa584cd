// Extracts the part of a text that shows why it was found, as plain text with the words marked.
import type { ExcerptPart } from '@quayside/protocol'

const MAX_CHARS = 200
/** Text before the first word that was found: short, so that the word is in the first line of a narrow list. */
const LEAD_CHARS = 20
/** Matches further apart are not in the same lines of a narrow list. */
const NEAR_CHARS = 60
const MAX_MATCHES = 100

type Match = { readonly 0: string; readonly index: number }
export type MatchesIn = (text: string) => Iterable<Match>

/** Begins near the matches; at the start of the text when there is none. */
export function excerptOf(text: string, matchesIn: MatchesIn): ExcerptPart[] {
  const found = bestMatch(matchesIn(text))
  const start = found <= LEAD_CHARS ? 0 : wordStart(text, found - LEAD_CHARS)
  const end = start + MAX_CHARS >= text.length ? text.length : wordEnd(text, start + MAX_CHARS)
  const parts: ExcerptPart[] = []
  const window = text.slice(start, end)
  let shown = 0
  for (const { 0: match, index } of matchesIn(window)) {
    addPart(parts, window.slice(shown, index), false)
    addPart(parts, match, true)
    shown = index + match.length
  }
  addPart(parts, window.slice(shown), false)
  if (start > 0) parts.unshift({ text: '…', match: false })
  if (end < text.length) parts.push({ text: '…', match: false })
  return joinPlain(parts)
}

/** The position with most of the different words close together: a common word is often alone before that. */
function bestMatch(found: Iterable<Match>): number {
  const matches = firstOf(found, MAX_MATCHES)
  let best = { index: 0, words: 0 }
  for (const [place, { index }] of matches.entries()) {
    const near = matches.slice(place).filter((match) => match.index - index < NEAR_CHARS)
    const words = new Set(near.map((match) => match[0].toLowerCase())).size
    if (words > best.words) best = { index, words }
  }
  return best.index
}

function firstOf(found: Iterable<Match>, most: number): Match[] {
  const first: Match[] = []
  for (const match of found) {
    first.push(match)
    if (first.length === most) break
  }
  return first
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
