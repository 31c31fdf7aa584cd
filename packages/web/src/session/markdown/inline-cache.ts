// Parses the inline content of Markdown blocks: emphasis, code, links. Results are cached between parses of a growing
// text, and long content is parsed in pieces, so that only new text is parsed.
import { Lexer, type Token } from 'marked'
import { ANSWER_SYNTAX } from './answer-syntax.js'

/** Results by their source. */
export type InlineCache = {
  readonly whole: ReadonlyMap<string, readonly Token[]>
  readonly pieces: ReadonlyMap<string, Token>
}

type QueuedInline = Lexer['inlineQueue'][number]
/** Closes marks that are still open at the end of a text. */
type Close = (open: string) => string

export const EMPTY_CACHE: InlineCache = { whole: new Map(), pieces: new Map() }

/** Agents write line breaks on purpose, so they are kept. */
const OPTIONS = { gfm: true, breaks: true, extensions: ANSWER_SYNTAX }
const PIECE_CHARS = 1_000
/** The amount of text that is parsed to find the end of a piece. Marks further apart are treated as separate. */
const REACH_CHARS = 2_000

export class InlineLexer implements InlineCache {
  readonly whole = new Map<string, readonly Token[]>()
  readonly pieces = new Map<string, Token>()
  readonly #before: InlineCache

  constructor(before: InlineCache) {
    this.#before = before
  }

  /** The blocks of a text with their inline content. */
  readBlocks(source: string, close?: Close): Token[] {
    const lexer = new Lexer(OPTIONS)
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

  /** The first piece of a source, always the same one; undefined when it cannot be split. */
  #pieceOf(lexer: Lexer, source: string): Token | undefined {
    const piece = this.#before.pieces.get(source) ?? cut(lexer.inlineTokens(source))?.piece
    if (piece) this.pieces.set(source, piece)
    return piece
  }
}

/** Splits the last part like the earlier ones, so that drawn and selected text does not move when more follows. */
function inPieces(tokens: readonly Token[]): Token[] {
  if (tokens.length === 0) return []
  const { piece, rest } = cut(tokens) ?? { piece: joined(tokens), rest: [] }
  return [piece, ...inPieces(rest)]
}

type Cut = { readonly piece: Token; readonly rest: readonly Token[] }

/** Splits at a gap between words that is not inside a mark. */
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
