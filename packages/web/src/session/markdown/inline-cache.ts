// What is inside of blocks: emphasis, code, links. It is remembered from one reading of a growing text to the next, and long
// insides are read in pieces, so that only what is new is read again.
import { Lexer, type Token } from 'marked'

/** By the source they were read from. */
export type InlineCache = {
  readonly whole: ReadonlyMap<string, readonly Token[]>
  readonly pieces: ReadonlyMap<string, Token>
}

type QueuedInline = Lexer['inlineQueue'][number]
/** Closes for the eye what is still open at the end of a text. */
type Close = (open: string) => string

export const EMPTY_CACHE: InlineCache = { whole: new Map(), pieces: new Map() }

/** Agents end lines where they mean it. */
const LINES = { gfm: true, breaks: true }
const PIECE_CHARS = 1_000
/** How far is looked before a piece ends: marks that are further apart do not belong together. */
const REACH_CHARS = 2_000

export class InlineLexer implements InlineCache {
  readonly whole = new Map<string, readonly Token[]>()
  readonly pieces = new Map<string, Token>()
  readonly #before: InlineCache

  constructor(before: InlineCache) {
    this.#before = before
  }

  /** The blocks of a text, and what is in them. */
  readBlocks(source: string, close?: Close): Token[] {
    const lexer = new Lexer(LINES)
    const blocks = lexer.blockTokens(source, lexer.tokens)
    const end = source.trimEnd()
    const last = lexer.inlineQueue.at(-1)
    for (const queued of lexer.inlineQueue) {
      const isOpen = queued === last && end.endsWith(queued.src.trimEnd())
      this.#fill(lexer, queued, isOpen ? close : undefined)
    }
    return blocks
  }

  #fill(lexer: Lexer, { src, tokens }: QueuedInline, close: Close | undefined): void {
    let rest = src
    for (let reach = REACH_CHARS; reach < rest.length;) {
      const piece = this.#pieceOf(lexer, rest.slice(0, reach))
      if (piece) tokens.push(piece)
      rest = rest.slice(piece?.raw.length ?? 0)
      reach = piece ? REACH_CHARS : reach * 2
    }
    const source = close?.(rest) ?? rest
    const read = this.#before.whole.get(source) ?? lexer.inlineTokens(source)
    this.whole.set(source, read)
    tokens.push(...inPieces(read))
  }

  /** The first piece of a source, the same one each time; undefined when there is nowhere to end it. */
  #pieceOf(lexer: Lexer, source: string): Token | undefined {
    const piece = this.#before.pieces.get(source) ?? cut(lexer.inlineTokens(source))?.piece
    if (piece) this.pieces.set(source, piece)
    return piece
  }
}

/** The end is in pieces too, the same as when more has followed: what was drawn and selected stays where it is. */
function inPieces(tokens: readonly Token[]): Token[] {
  if (tokens.length === 0) return []
  const { piece, rest } = cut(tokens) ?? { piece: joined(tokens), rest: [] }
  return [piece, ...inPieces(rest)]
}

type Cut = { readonly piece: Token; readonly rest: readonly Token[] }

/** Where a piece ends: at a gap between words that no mark spans. */
function cut(tokens: readonly Token[]): Cut | undefined {
  let length = 0
  for (const [index, token] of tokens.entries()) {
    const gap = gapIn(token, Math.max(PIECE_CHARS - length, 0))
    if (gap !== undefined) {
      const [before, after] =
        gap === 0 ? [[], token] : [[asText(token, 0, gap)], asText(token, gap)]
      const piece = joined([...tokens.slice(0, index), ...before])
      return { piece, rest: [after, ...tokens.slice(index + 1)] }
    }
    length += token.raw.length
  }
  return undefined
}

function gapIn({ type, raw }: Token, from: number): number | undefined {
  if (type === 'br') return from === 0 ? 0 : undefined
  const gap = type === 'text' ? raw.slice(from).search(/\s/) : -1
  return gap < 0 ? undefined : from + gap
}

function asText(token: Token, from: number, to?: number): Token {
  const raw = token.raw.slice(from, to)
  return { type: 'text', raw, text: raw }
}

function joined(tokens: readonly Token[]): Token {
  const raw = tokens.map((token) => token.raw).join('')
  return { type: 'piece', raw, tokens: [...tokens] }
}
