// Words that answer with text, at every pace and size that a client must handle.
import { setImmediate } from 'node:timers/promises'
import { FLAG_PNG } from '../flag-png.js'
import { textChunk, updateLine } from '../raw-lines.js'
import type { Turn } from '../turn.js'
import { requireIntegers, requireText, UsageError } from './word.js'
import type { Word } from './word.js'

const MARK_LENGTH = 11
const BYTES_PER_WRITE = 64 * 1024
const MAX_CHUNK_BYTES = 128 * 1024 * 1024
const CHUNKS_BETWEEN_BREATHS = 64

export const TEXT_WORDS: readonly Word[] = [
  {
    name: 'echo',
    args: 'TEXT',
    does: 'answers with TEXT in one chunk',
    run: (turn, args) => turn.say(requireText(args)),
  },
  { name: 'think', args: 'TEXT', does: 'thinks TEXT word by word, then answers', run: think },
  { name: 'stream', args: 'N', does: 'N numbered chunks as fast as possible', run: stream },
  { name: 'drip', args: 'N MS', does: 'N numbered chunks, one every MS milliseconds', run: drip },
  {
    name: 'flood',
    args: 'N BYTES',
    does: 'N chunks of BYTES characters, each with a mark such as ~000000001~, as fast as they are read',
    run: flood,
  },
  { name: 'big', args: 'BYTES', does: 'one chunk of BYTES characters', run: big },
  { name: 'slow', args: 'S', does: 'is silent for S seconds, then answers', run: slow },
  {
    name: 'snapshot',
    args: '[TEXT]',
    does: 'sends growing snapshots (H, He, Hel, …) where ACP wants deltas',
    run: snapshot,
  },
  {
    name: 'data-uri',
    args: '',
    does: 'a picture inside the text, as a data URI in many chunks',
    run: dataUri,
  },
]

async function think(turn: Turn, args: string) {
  for (const word of requireText(args).split(/(?<=\s)/)) {
    await turn.think(word)
    await turn.pause(20)
  }
  await turn.say(`I thought about: ${args}`)
}

async function stream(turn: Turn, args: string) {
  const [count = 0] = requireIntegers(args, 'N')
  for (let n = 1; n <= count; n++) {
    await turn.say(`chunk ${n}\n`)
    // Writing a chunk does not yield to stdin, where a cancel or another session may wait.
    if (n % CHUNKS_BETWEEN_BREATHS === 0) await setImmediate()
  }
}

async function drip(turn: Turn, args: string) {
  const [count = 0, intervalMs = 0] = requireIntegers(args, 'N', 'MS')
  const start = performance.now()
  for (let n = 1; n <= count; n++) {
    await turn.wait(Math.max(0, start + n * intervalMs - performance.now()))
    await turn.say(`drop ${n}\n`)
  }
}

async function flood(turn: Turn, args: string) {
  const [count = 0, size = 0] = requireIntegers(args, 'N', 'BYTES')
  if (size < MARK_LENGTH || size > MAX_CHUNK_BYTES) {
    throw new UsageError(`BYTES must be from ${MARK_LENGTH} to ${MAX_CHUNK_BYTES}`)
  }
  const line = updateLine(turn, textChunk(mark(0) + filler(size - MARK_LENGTH)))
  const [head = '', tail = ''] = line.split(mark(0))
  const linesPerWrite = Math.max(1, Math.floor(BYTES_PER_WRITE / line.length))
  for (let first = 1; first <= count; first += linesPerWrite) {
    turn.signal.throwIfAborted()
    const end = Math.min(first + linesPerWrite, count + 1)
    let lines = ''
    for (let n = first; n < end; n++) lines += head + mark(n) + tail
    await turn.deps.wire.write(lines)
    await setImmediate()
  }
}

async function big(turn: Turn, args: string) {
  const [size = 0] = requireIntegers(args, 'BYTES')
  if (size > MAX_CHUNK_BYTES) throw new UsageError(`BYTES must be at most ${MAX_CHUNK_BYTES}`)
  await turn.updateUnremembered(textChunk(filler(size)))
}

async function slow(turn: Turn, args: string) {
  const seconds = Number(requireText(args))
  if (!(seconds >= 0 && seconds <= 86_400)) throw new UsageError('S must be from 0 to 86400')
  await turn.wait(seconds * 1_000)
  await turn.say(`done after ${seconds} s`)
}

async function snapshot(turn: Turn, args: string) {
  const text = args || 'Hello'
  for (let length = 1; length <= text.length; length++) {
    // Not stored one by one: joined, they would read HHeHelHellHello.
    await turn.updateUnremembered(textChunk(text.slice(0, length)))
  }
}

async function dataUri(turn: Turn) {
  // Splits inside `![…](`, inside `data:` and inside every four characters of base64.
  const image = FLAG_PNG.match(/.{1,7}/g) ?? []
  const chunks = ['Before. !', '[a flag](da', 'ta:image/p', 'ng;base64,', ...image, ')', ' After.']
  for (const chunk of chunks) await turn.say(chunk)
}

function mark(n: number): string {
  return `~${String(n).padStart(MARK_LENGTH - 2, '0')}~`
}

function filler(length: number): string {
  return 'x'.repeat(length)
}
