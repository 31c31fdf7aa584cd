// Markdown into blocks, piece by piece: while text streams in, only the last blocks are read again.
import { lexer, type Token } from 'marked'
import remend from 'remend'

export type Blocks = {
  /** The source they were read from, with plain line ends. */
  readonly source: string
  readonly tokens: readonly Token[]
  /** How many of the tokens, and how much of the source, no further text can change. */
  readonly settled: number
  readonly settledLength: number
}

/** Agents end lines where they mean it. */
const LINES = { gfm: true, breaks: true }
const NOTHING: Blocks = { source: '', tokens: [], settled: 0, settledLength: 0 }

/** An unclosed `**` or code fence is closed for the eye while more of it is expected. */
export function readBlocks(text: string, isStreaming: boolean, before: Blocks = NOTHING): Blocks {
  const source = text.replaceAll(/\r\n?/g, '\n')
  // Definitions of links may come after their use: what is complete is read as a whole.
  if (!isStreaming) return { ...NOTHING, source, tokens: lexer(source, LINES) }
  const known = source.startsWith(before.source) ? before : NOTHING
  const tail = source.slice(known.settledLength)
  const fresh = lexer(tail, LINES)
  const head = known.tokens.slice(0, known.settled)
  const steady = steadyCount(fresh)
  const settled = fresh.slice(0, steady)
  const settledLength = known.settledLength + lengthOf(settled)
  const shown = lexer(
    remend(source.slice(settledLength), { htmlTags: false, images: false }),
    LINES,
  )
  return {
    source,
    tokens: [...head, ...settled, ...shown],
    settled: head.length + steady,
    settledLength,
  }
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
