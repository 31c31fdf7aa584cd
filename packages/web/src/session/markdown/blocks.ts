// Markdown into blocks, piece by piece: while text streams in, only the last blocks are read again.
import type { Token } from 'marked'
import remend from 'remend'
import { InlineLexer, EMPTY_CACHE, type InlineCache } from './inline-cache.js'

export type Blocks = {
  /** The source they were read from, with plain line ends. */
  readonly source: string
  readonly tokens: readonly Token[]
  /** How many of the tokens, and how much of the source, no further text can change. */
  readonly settled: number
  readonly settledLength: number
  /** What was read last inside of blocks. */
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
/** A last line that is about to be a list, but would make a heading of the line before. */
const UNDERLINE = /\S *\n {0,3}(?:--?|==?) *$/
const CLOSED = { linkMode: 'text-only', htmlTags: false, images: false, katex: false } as const

export function readBlocks(text: string, isStreaming: boolean, before: Blocks = NOTHING): Blocks {
  const source = text.replaceAll(/\r\n?/g, '\n')
  // Definitions of links may come after their use: what is complete is then read as a whole.
  const isNew = !source.startsWith(before.source) || (!isStreaming && DEFINITION.test(source))
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

/** An unclosed `**` or code span is closed for the eye while more of it is expected. */
function readOpen(source: string, inline: InlineLexer): Token[] {
  const shown = UNDERLINE.test(source) ? `${source}\u200B` : source
  return inline.readBlocks(shown, (open) => remend(open, CLOSED))
}

/** Remembers the blocks of a text that grows. The same text gives the same blocks, whatever was there before. */
export class BlockReader {
  #blocks: Blocks | undefined

  read(text: string, isStreaming: boolean): readonly Token[] {
    this.#blocks = readBlocks(text, isStreaming, this.#blocks)
    return this.#blocks.tokens
  }
}

/** The last block may still grow, and with it the one before: a list goes on after a blank line. */
function steadyCount(tokens: readonly Token[]): number {
  const isText = ({ type }: Token) => type !== 'space'
  const last = tokens.findLastIndex(isText)
  const beforeLast = tokens.slice(0, Math.max(last, 0)).findLastIndex(isText)
  return Math.max(beforeLast, 0)
}

function lengthOf(tokens: readonly Token[]): number {
  return tokens.reduce((length, { raw }) => length + raw.length, 0)
}
