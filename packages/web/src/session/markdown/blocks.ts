// Parses Markdown into blocks incrementally: while text streams in, only the last blocks are parsed again.
import type { Token } from 'marked'
import remend from 'remend'
import { SPANNING } from './answer-syntax.js'
import { InlineLexer, EMPTY_CACHE, type InlineCache } from './inline-cache.js'

export type Blocks = {
  /** The parsed source, with normalised line breaks. */
  readonly source: string
  readonly tokens: readonly Token[]
  /** The number of tokens and of source characters that later text cannot change. */
  readonly settled: number
  readonly settledLength: number
  /** The inline content of the last parse. */
  readonly inline: InlineCache
}

const NOTHING: Blocks = {
  source: '',
  tokens: [],
  settled: 0,
  settledLength: 0,
  inline: EMPTY_CACHE,
}
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:/m
/** The beginning of a list item that Markdown would read as the underline of a heading. */
const UNDERLINE = /\S *\n {0,3}(?:--?|==?) *$/
const CLOSED = { linkMode: 'text-only', htmlTags: false, images: false, katex: false } as const

export function readBlocks(text: string, isStreaming: boolean, before: Blocks = NOTHING): Blocks {
  const source = text.replaceAll(/\r\n?/g, '\n')
  // Link definitions may follow their use, and some blocks span blank lines: such a text is parsed as a whole in the end.
  const isWhole = !isStreaming && (DEFINITION.test(source) || SPANNING.test(source))
  const isNew = isWhole || !source.startsWith(before.source)
  const known = isNew ? NOTHING : before
  const inline = new InlineLexer(known.inline)
  const tail = source.slice(known.settledLength)
  const fresh = isStreaming ? readOpen(tail, inline) : inline.readBlocks(tail)
  const steady = steadyCount(fresh)
  return {
    source,
    tokens: [...known.tokens.slice(0, known.settled), ...fresh],
    settled: known.settled + steady,
    settledLength: known.settledLength + lengthOf(fresh.slice(0, steady)),
    inline,
  }
}

/** Closes an open `**` or code span while more text is expected. */
function readOpen(source: string, inline: InlineLexer): Token[] {
  const shown = UNDERLINE.test(source) ? `${source}\u200B` : source
  return inline.readBlocks(shown, (open) => remend(open, CLOSED))
}

/** Caches the blocks of a growing text. The result depends only on the text, not on the cache. */
export class BlockReader {
  #blocks: Blocks | undefined

  read(text: string, isStreaming: boolean): readonly Token[] {
    this.#blocks = readBlocks(text, isStreaming, this.#blocks)
    return this.#blocks.tokens
  }
}

/** The last block may still grow, and change the one before it: a list continues after a blank line. */
function steadyCount(tokens: readonly Token[]): number {
  const isText = ({ type }: Token) => type !== 'space'
  const last = tokens.findLastIndex(isText)
  const beforeLast = tokens.slice(0, Math.max(last, 0)).findLastIndex(isText)
  return Math.max(beforeLast, 0)
}

function lengthOf(tokens: readonly Token[]): number {
  return tokens.reduce((length, { raw }) => length + raw.length, 0)
}
