// Words with an unusual response to the prompt: another stop reason, an error, too early, or twice.
import { RequestError } from '@agentclientprotocol/sdk'
import type { SessionUpdate, StopReason } from '@agentclientprotocol/sdk'
import { remember } from '../sessions/conversation.js'
import { textChunk, updateLine } from '../raw-lines.js'
import type { Turn } from '../turn.js'
import { requireText, UsageError } from './word.js'
import type { PromptExtras, Word } from './word.js'

export const ANSWER_WORDS: readonly Word[] = [
  { name: 'stop', args: 'REASON', does: 'ends the turn with that stop reason', run: stop },
  { name: 'nothing', args: '', does: 'ends the turn without a word', run: nothing },
  { name: 'fail', args: 'CODE MESSAGE…', does: 'answers with that JSON-RPC error', run: fail },
  { name: 'auth', args: '', does: 'answers that somebody must sign in (-32000)', run: auth },
  {
    name: 'late',
    args: '',
    does: 'ends the turn, and only then its text and tool call',
    run: late,
  },
  {
    name: 'hollow',
    args: '',
    does: 'answers with neither a result nor an error',
    run: hollow,
  },
  { name: 'string-id', args: '', does: 'answers 3 with "3"', run: stringId },
  {
    name: 'twice',
    args: '',
    does: 'answers twice, each time with another stop reason',
    run: twice,
  },
]

async function stop(turn: Turn, args: string): Promise<PromptExtras> {
  const reason = requireText(args)
  await turn.say(`Stopping with ${reason}.`)
  // Any text: clients must handle unknown stop reasons.
  return { stopReason: reason as StopReason }
}

// As kimi and pi do when their model answers with an error.
async function nothing() {}

async function fail(_turn: Turn, args: string) {
  const [, code, message] = /^(-?\d{1,9})\s+([^]+)$/.exec(args) ?? []
  if (!code || !message) throw new UsageError('a whole number and a message must be given')
  throw new RequestError(Number(code), message, { details: 'the demo agent was told to fail' })
}

async function auth() {
  throw RequestError.authRequired()
}

async function late(turn: Turn) {
  const { wire, requestId, memory } = turn.deps
  const toolCallId = turn.newToolCallId()
  await turn.toolCall({ toolCallId, title: 'Take my time', kind: 'other', status: 'in_progress' })
  await turn.say('In time, ')
  const updates: SessionUpdate[] = [
    textChunk('and too late.'),
    { sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' },
  ]
  for (const update of updates) remember(memory, update)
  const lines = updates.map((update) => updateLine(turn, update))
  wire.takeResponse(requestId, (line) => wire.write([line, ...lines].join('')))
}

async function hollow(turn: Turn) {
  const { wire, requestId } = turn.deps
  await turn.say('My answer is hollow.')
  const answer = { jsonrpc: '2.0', id: requestId }
  wire.takeResponse(requestId, () => wire.write(`${JSON.stringify(answer)}\n`))
}

async function stringId(turn: Turn) {
  const { wire, requestId } = turn.deps
  await turn.say('My answer has a string for its id.')
  wire.takeResponse(requestId, (line) => {
    const response = JSON.parse(line) as object
    return wire.write(`${JSON.stringify({ ...response, id: String(requestId) })}\n`)
  })
}

async function twice(turn: Turn) {
  const { wire, requestId } = turn.deps
  await turn.say('I answer twice.')
  const again = { jsonrpc: '2.0', id: requestId, result: { stopReason: 'max_tokens' } }
  wire.takeResponse(requestId, (line) => wire.write(`${line}${JSON.stringify(again)}\n`))
}
