// Words that write unusual bytes: invalid JSON, floods, and lines in odd pieces.
import { setImmediate, setTimeout } from 'node:timers/promises'
import { textChunk, updateLine } from '../raw-lines.js'
import type { Turn } from '../turn.js'
import { requireIntegers, UsageError } from './word.js'
import type { Word } from './word.js'

const MAX_LEVELS = 10_000_000
const MAX_LINE_BYTES = 128 * 1024 * 1024
const NOISE_LINES_PER_WRITE = 1_000
const LAST_ASCII = 0x7f
const HALF_CHARACTER_PAUSE_MS = 2

export const WIRE_WORDS: readonly Word[] = [
  { name: 'junk', args: '', does: 'writes lines that are not ACP before its answer', run: junk },
  { name: 'noise', args: 'N', does: 'N lines of junk as fast as they are read', run: noise },
  { name: 'long', args: 'BYTES', does: 'one line of BYTES characters that is not JSON', run: long },
  { name: 'deep', args: 'N', does: 'sends updates that are nested N levels deep', run: deep },
  { name: 'split', args: '', does: 'writes a line byte by byte, with CRLF at its end', run: split },
  { name: 'batch', args: '', does: 'sends three updates as one JSON-RPC batch', run: batch },
  {
    name: 'early-update',
    args: '',
    does: 'writes its updates and the end of the turn in one single write',
    run: earlyUpdate,
  },
]

async function junk(turn: Turn) {
  const good = (text: string) => updateLine(turn, textChunk(text)).trimEnd()
  const lines = [
    'Warning: this line is not JSON\n',
    '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":\n',
    '\n',
    '   \n',
    '{}\n',
    '{"jsonrpc":"2.0","id":987654321,"result":{}}\n',
    `${good('after CRLF ')}\r\n`,
    `\uFEFF${good('after a BOM ')}\n`,
  ]
  for (const line of lines) {
    await turn.deps.wire.write(line)
    await setImmediate()
  }
  await turn.say('and a good answer.')
}

async function noise(turn: Turn, args: string) {
  const [count = 0] = requireIntegers(args, 'N')
  for (let first = 1; first <= count; first += NOISE_LINES_PER_WRITE) {
    turn.signal.throwIfAborted()
    const end = Math.min(first + NOISE_LINES_PER_WRITE, count + 1)
    let lines = ''
    for (let n = first; n < end; n++) lines += `noise ${n}, and not a word of JSON\n`
    await turn.deps.wire.write(lines)
    await setImmediate()
  }
  await turn.say(`That was noise, ${count} lines of it.`)
}

async function long(turn: Turn, args: string) {
  const [size = 0] = requireIntegers(args, 'BYTES')
  if (size > MAX_LINE_BYTES) throw new UsageError(`BYTES must be at most ${MAX_LINE_BYTES}`)
  await turn.deps.wire.write(`${'x'.repeat(size)}\n`)
  await turn.say(`That was a line of ${size} characters.`)
}

async function deep(turn: Turn, args: string) {
  const [levels = 0] = requireIntegers(args, 'N')
  if (levels > MAX_LEVELS) throw new UsageError(`N must be at most ${MAX_LEVELS}`)
  // JSON.stringify would exhaust the stack.
  const nested = `${'{"in":'.repeat(levels)}{}${'}'.repeat(levels)}`
  const toolCall = {
    sessionUpdate: 'tool_call',
    toolCallId: turn.newToolCallId(),
    title: 'Dig',
    status: 'completed',
  }
  const { wire } = turn.deps
  await wire.write(updateLine(turn, { ...toolCall, rawOutput: 0 }).replace(':0}', `:${nested}}`))
  await wire.write(
    updateLine(turn, { ...textChunk('Deep, '), _meta: 0 }).replace(':0}', `:${nested}}`),
  )
  await turn.say(`${levels} levels.`)
}

async function split(turn: Turn) {
  const line = updateLine(turn, textChunk('Grüße vom Kai ⚓ 船 🚢, ')).replace('\n', '\r\n')
  await turn.deps.wire.writeInPieces(byteByByte(line))
  await turn.say('in one piece again.')
}

async function* byteByByte(line: string): AsyncGenerator<Uint8Array> {
  for (const byte of Buffer.from(line)) {
    yield Uint8Array.of(byte)
    // Lets the reader see half a character; it may read the other bytes together.
    if (byte > LAST_ASCII) await setTimeout(HALF_CHARACTER_PAUSE_MS)
  }
}

async function batch(turn: Turn) {
  const updates = ['one ', 'two ', 'three '].map((text) =>
    updateLine(turn, textChunk(text)).trimEnd(),
  )
  await turn.deps.wire.write(`[${updates.join(',')}]\n`)
  await turn.say('and the answer.')
}

async function earlyUpdate(turn: Turn) {
  turn.deps.wire.holdUntilResponse(turn.deps.requestId)
  for (const text of ['all ', 'in ', 'one ', 'write']) await turn.say(text)
}
