// Words that send unexpected updates and requests: unknown, malformed, or out of order.
import { methods, RequestError } from '@agentclientprotocol/sdk'
import { notificationLine, textChunk, updateLine } from '../raw-lines.js'
import { textContent } from '../tool-calls.js'
import type { Turn } from '../turn.js'
import { PERMISSION_OPTIONS } from '../permission.js'
import { UsageError } from './word.js'
import type { Word } from './word.js'

export const UPDATE_WORDS: readonly Word[] = [
  {
    name: 'unknown',
    args: '',
    does: 'sends updates, fields, a notification and a request that nobody knows',
    run: unknown,
  },
  { name: 'nulls', args: '', does: 'sends updates with null where something belongs', run: nulls },
  {
    name: 'murmur',
    args: '',
    does: 'reports its usage ten times a second and says nothing, until it is cancelled',
    run: murmur,
  },
  { name: 'reuse', args: '', does: 'a tool call with the same id in every turn', run: reuse },
  {
    name: 'interleave',
    args: '',
    does: 'two tool calls by turns, one of which is pending again when it is done',
    run: interleave,
  },
  {
    name: 'bad-ask',
    args: 'empty|numbers|no-call',
    does: 'asks for a permission without options, with numbers as ids, or without a tool call',
    run: badAsk,
  },
]

async function badAsk(turn: Turn, args: string) {
  const { client, session } = turn.deps
  const toolCall = { toolCallId: turn.newToolCallId(), title: 'Ask badly', kind: 'other' }
  const numbered = PERMISSION_OPTIONS.map((option, optionId) => ({ ...option, optionId }))
  const requests = new Map<string, object>([
    ['empty', { toolCall, options: [] }],
    ['numbers', { toolCall, options: numbered }],
    ['no-call', { options: PERMISSION_OPTIONS }],
  ])
  const request = requests.get(args)
  if (request === undefined) throw new UsageError(`"${args}" is no kind of bad request`)
  const asked = client.request(methods.client.session.requestPermission, {
    sessionId: session.id,
    ...request,
  })
  await turn.say(await turn.unlessCancelled(asked.then(JSON.stringify, errorCode)))
}

async function unknown(turn: Turn) {
  const { client, wire, session } = turn.deps
  const content = { type: 'text', text: 'Extra ', shade: 'blue' }
  const updates = [
    { sessionUpdate: '_vendor_thing', payload: { knots: 12, route: ['out', null, 'back'] } },
    { sessionUpdate: 'plan_removed', planId: 'plan-1' },
    { sessionUpdate: 'agent_message_chunk', content, mood: 'sunny' },
  ]
  for (const update of updates) await wire.write(updateLine(turn, update))
  await client.notify('_demo/note', { sessionId: session.id, note: 'for whom it may concern' })
  const asked = client.request('demo/unknown', { sessionId: session.id })
  await turn.say(await turn.unlessCancelled(asked.then(() => 'no error', errorCode)))
}

function errorCode(error: unknown): string {
  if (error instanceof RequestError) return String(error.code)
  throw error
}

async function nulls(turn: Turn) {
  const { wire, session } = turn.deps
  const toolCallId = turn.newToolCallId()
  await turn.toolCall({ toolCallId, title: 'Keep me', kind: 'read', status: 'completed' })
  const nothing = { title: null, kind: null, status: null, content: null, locations: null }
  const updates = [
    { sessionUpdate: 'tool_call_update', toolCallId, ...nothing, rawInput: null, rawOutput: null },
    { sessionUpdate: 'usage_update', used: null, size: 200_000 },
    { sessionUpdate: 'plan', entries: null },
    { sessionUpdate: 'agent_message_chunk', content: null },
    { content: { type: 'text', text: 'an update of no kind' } },
  ]
  for (const update of updates) await wire.write(updateLine(turn, update))
  const { update } = methods.client.session
  await wire.write(notificationLine(update, { update: textChunk('for no session') }))
  await wire.write(notificationLine(update, { sessionId: session.id, update: null }))
  await turn.say('That was nothing.')
}

// As Copilot does while its model's server refuses requests.
async function murmur(turn: Turn) {
  for (let used = 1; ; used += 1) {
    await turn.updateUnremembered({ sessionUpdate: 'usage_update', used, size: 200_000 })
    await turn.wait(100)
  }
}

async function reuse(turn: Turn) {
  const toolCallId = 'call-1'
  await turn.toolCall({ toolCallId, title: 'Do it again', kind: 'other', status: 'in_progress' })
  const content = [textContent(`turn ${turn.session.conversation.turns.length}`)]
  await turn.toolCallUpdate({ toolCallId, status: 'completed', content })
  await turn.say('Done as call-1.')
}

async function interleave(turn: Turn) {
  const [one, other] = [turn.newToolCallId(), turn.newToolCallId()]
  await turn.toolCall({ toolCallId: one, title: 'Hoist', kind: 'other', status: 'in_progress' })
  await turn.toolCall({ toolCallId: other, title: 'Lower', kind: 'other', status: 'in_progress' })
  for (const progress of ['a third', 'two thirds']) {
    await turn.toolCallUpdate({ toolCallId: one, content: [textContent(`up ${progress}`)] })
    await turn.toolCallUpdate({ toolCallId: other, content: [textContent(`down ${progress}`)] })
  }
  await turn.toolCallUpdate({ toolCallId: one, status: 'completed' })
  await turn.toolCallUpdate({ toolCallId: other, status: 'completed' })
  await turn.toolCallUpdate({ toolCallId: one, status: 'pending' })
  await turn.say('Both are done.')
}
