// Words that end the process, refuse to end, or leave processes behind.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import type { Turn } from '../turn.js'
import type { Word } from './word.js'

const CRASH_EXIT_CODE = 7
const STDIN = 0
/** Writes its first argument when its stdin ends. */
const ANSWER_WHEN_ALONE = 'trap "" TERM; echo ready >&2; read -r end; printf "%s\\n" "$0"'
const TEN_MINUTES_ASLEEP = 'setTimeout(() => {}, 600_000)'

export const ENDING_WORDS: readonly Word[] = [
  {
    name: 'crash',
    args: '[tool]',
    does: 'dies in the middle of the turn, or of a tool call, with exit code 7',
    run: crash,
  },
  {
    name: 'exit0',
    args: '',
    does: 'leaves in the middle of the turn with exit code 0',
    run: exit0,
  },
  { name: 'hang', args: '', does: 'never answers, not even a cancel', run: hang },
  {
    name: 'stubborn',
    args: '',
    does: 'never answers, and ignores a cancel, the end of stdin and SIGTERM',
    run: stubborn,
  },
  { name: 'deaf', args: '', does: 'closes its stdin, answers all the same, and stays', run: deaf },
  {
    name: 'orphan',
    args: '',
    does: 'starts a process in a session of its own, and says its number',
    run: orphan,
  },
  {
    name: 'heir',
    args: '',
    does: 'is killed in the middle of the turn, and a child answers that the turn was cancelled',
    run: heir,
  },
]

async function crash(turn: Turn, args: string) {
  for (const text of ['This ', 'will ', 'not ']) await turn.say(text)
  if (args === 'tool') {
    const toolCallId = turn.newToolCallId()
    await turn.toolCall({ toolCallId, title: 'Finish', kind: 'execute', status: 'in_progress' })
  }
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

async function stubborn(turn: Turn): Promise<void> {
  turn.deps.lifetime.outliveStdin()
  process.on('SIGTERM', () => {})
  await turn.say('I stay.')
  return new Promise(() => {})
}

async function deaf(turn: Turn) {
  const { wire, requestId, lifetime } = turn.deps
  await turn.say('This is the last I heard.')
  wire.takeResponse(requestId, async (line) => {
    lifetime.outliveStdin()
    await new Promise((resolve) => process.stdin.once('close', resolve).destroy())
    closeStdin()
    // After the answer: from here on a write to this agent fails with a broken pipe.
    await wire.write(line)
  })
}

/** Node never closes descriptors 0 to 2, which keeps the client's pipe open. */
function closeStdin() {
  closeSync(STDIN)
  // Otherwise the next opened file would become stdin.
  openSync(devNull, 'r')
}

async function orphan(turn: Turn) {
  await turn.say(`orphan ${await startOrphan()}`)
}

/** As Qwen Code 0.24 does: the launcher is killed, and the process that it had started ends the turn. */
async function heir(turn: Turn) {
  const { requestId: id } = turn.deps
  const response = JSON.stringify({ jsonrpc: '2.0', id, result: { stopReason: 'cancelled' } })
  const child = spawn('/bin/sh', ['-c', ANSWER_WHEN_ALONE, response], {
    stdio: ['pipe', 'inherit', 'pipe'],
  })
  await once(child.stderr, 'data')
  process.kill(process.pid, 'SIGKILL')
}

/** Starts a detached process in its own session. Resolves with its pid. */
export async function startOrphan(): Promise<number | undefined> {
  const child = spawn(process.execPath, ['-e', TEN_MINUTES_ASLEEP], {
    detached: true,
    stdio: 'ignore',
  })
  child.unref()
  await once(child, 'spawn')
  return child.pid
}
