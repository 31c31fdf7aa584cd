// Words that behave as real agents do on a bad day: dying, hanging, and writing what no client should see.
import { setImmediate } from 'node:timers/promises'
import type { Turn } from '../turn.js'
import { textChunk, updateLine } from './text-words.js'
import type { Word } from './word.js'

const CRASH_EXIT_CODE = 7

export const FAULT_WORDS: readonly Word[] = [
  { name: 'crash', args: '', does: 'dies in the middle of the turn with exit code 7', run: crash },
  {
    name: 'exit0',
    args: '',
    does: 'leaves in the middle of the turn with exit code 0',
    run: exit0,
  },
  { name: 'hang', args: '', does: 'never answers, not even a cancel', run: hang },
  { name: 'junk', args: '', does: 'writes lines that are not ACP before its answer', run: junk },
  { name: 'batch', args: '', does: 'sends three updates as one JSON-RPC batch', run: batch },
  {
    name: 'early-update',
    args: '',
    does: 'writes its updates and the end of the turn in one single write',
    run: earlyUpdate,
  },
]

async function crash(turn: Turn) {
  for (const text of ['This ', 'will ', 'not ']) await turn.say(text)
  await new Promise((resolve) => {
    process.stderr.write('demo-agent: crashing, as asked\n', resolve)
  })
  process.exit(CRASH_EXIT_CODE)
}

async function exit0(turn: Turn) {
  await turn.say('Leaving early.')
  process.exit(0)
}

async function hang(): Promise<void> {
  return new Promise(() => {})
}

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
    await turn.parts.wire.write(line)
    await setImmediate()
  }
  await turn.say('and a good answer.')
}

async function batch(turn: Turn) {
  const updates = ['one ', 'two ', 'three '].map((text) =>
    updateLine(turn, textChunk(text)).trimEnd(),
  )
  await turn.parts.wire.write(`[${updates.join(',')}]\n`)
  await turn.say('and the answer.')
}

async function earlyUpdate(turn: Turn) {
  turn.parts.wire.holdUntilResponse(turn.parts.requestId)
  for (const text of ['all ', 'in ', 'one ', 'write']) await turn.say(text)
}
