// Words that misbehave in what they answer, send or write, each in its own way.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAgent } from './agent-client.ts'
import type { AgentClient, Message, TestSession } from './agent-client.ts'

let agent: AgentClient
let session: TestSession
beforeAll(async () => {
  agent = await startAgent()
  session = await agent.newSession()
})
afterAll(() => agent[Symbol.asyncDispose]())

/** The agent's output from now until it echoes a mark. */
async function wireOf(prompt: string) {
  const [from, fromRead] = [agent.messages.length, agent.reads.length]
  await session.prompt(prompt)
  await session.prompt('echo end of the turn')
  const messages = agent.messages.slice(from)
  const end = messages.findIndex(({ params }) =>
    JSON.stringify(params)?.includes('end of the turn'),
  )
  return { messages: messages.slice(0, end), bytes: agent.reads.slice(fromRead) }
}

function toolCallsOf(updates: object[]): string[] {
  return (updates as { sessionUpdate: string; toolCallId?: string; status?: string }[])
    .filter(({ toolCallId }) => toolCallId)
    .map(({ sessionUpdate, status }) => `${sessionUpdate} ${status ?? '-'}`)
}

test.each(['max_tokens', 'max_turn_requests', 'refusal', 'cancelled', 'out of coal'])(
  'stop ends the turn with "%s"',
  async (stopReason) => {
    const { response, text } = await session.prompt(`stop ${stopReason}`)
    expect(response).toEqual({ stopReason })
    expect(text).toBe(`Stopping with ${stopReason}.`)
  },
)

test('nothing ends the turn without an update', async () => {
  const { response, updates } = await session.prompt('nothing')
  expect(response).toEqual({ stopReason: 'end_turn' })
  expect(updates).toEqual([])
})

test.each([
  ['empty', { toolCall: { title: 'Ask badly' }, options: [] }],
  ['numbers', { options: [{ optionId: 0 }, { optionId: 1 }, { optionId: 2 }] }],
  ['no-call', { options: [{ optionId: 'allow_once' }, {}, {}] }],
])('bad-ask %s asks so, and says what it got', async (kind, params) => {
  const turn = session.prompt(`bad-ask ${kind}`)
  const asked = await session.untilRequest('session/request_permission')
  expect(asked.params).toMatchObject(params)
  expect('toolCall' in asked.params).toBe(kind !== 'no-call')
  asked.answer({ outcome: { outcome: 'cancelled' } })
  expect((await turn).text).toBe('{"outcome":{"outcome":"cancelled"}}')
})

test('fail answers with the asked error', async () => {
  await expect(session.prompt('fail 429 Too many\nboats')).rejects.toMatchObject({
    code: 429,
    message: 'Too many\nboats',
    data: { details: 'the demo agent was told to fail' },
  })
})

test('auth answers that somebody must sign in', async () => {
  const refusal = { code: -32000, message: 'Authentication required' }
  await expect(session.prompt('auth')).rejects.toMatchObject(refusal)
})

test('late writes its response before the rest of the turn, all at once', async () => {
  const { messages, bytes } = await wireOf('late')
  expect(messages).toMatchObject([
    { params: { update: { sessionUpdate: 'tool_call', status: 'in_progress' } } },
    { params: { update: { sessionUpdate: 'agent_message_chunk' } } },
    { result: { stopReason: 'end_turn' } },
    { params: { update: { sessionUpdate: 'agent_message_chunk' } } },
    { params: { update: { sessionUpdate: 'tool_call_update', status: 'completed' } } },
  ])
  const read = bytes.map(String).find((text) => text.includes('"stopReason"'))
  expect(read).toContain('and too late.')
  expect(read).toContain('"completed"')
})

test('hollow answers with neither a result nor an error', async () => {
  const from = agent.messages.length
  // No client of the SDK ever gets this answer.
  void session.prompt('hollow')
  const isAnswer = (message: object) => !('method' in message)
  await expect.poll(() => agent.messages.slice(from).find(isAnswer)).toBeDefined()
  expect(Object.keys(agent.messages.slice(from).find(isAnswer) ?? {})).toEqual(['jsonrpc', 'id'])
})

test('string-id answers with a string where a number was asked', async () => {
  const { messages } = await wireOf('string-id')
  const response = messages.find(({ result }) => result)
  expect(response).toMatchObject({ id: expect.any(String), result: { stopReason: 'end_turn' } })
})

test('twice answers twice, and not alike', async () => {
  const { messages } = await wireOf('twice')
  const responses = messages.filter(({ result }) => result)
  expect(responses.map(({ result }) => result)).toEqual([
    { stopReason: 'end_turn' },
    { stopReason: 'max_tokens' },
  ])
  expect(responses[0]?.id).toBe(responses[1]?.id)
})

test('unknown sends what nobody knows, and says which error it got', async () => {
  const turn = session.prompt('unknown')
  const request = await session.untilRequest('demo/unknown')
  request.fail({ code: -32601, message: 'Method not found' })
  const { updates, text } = await turn
  expect(updates.slice(0, 3)).toEqual([
    { sessionUpdate: '_vendor_thing', payload: { knots: 12, route: ['out', null, 'back'] } },
    { sessionUpdate: 'plan_removed', planId: 'plan-1' },
    {
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text: 'Extra ', shade: 'blue' },
      mood: 'sunny',
    },
  ])
  expect(agent.messages.some(({ method }) => method === '_demo/note')).toBe(true)
  expect(text).toBe('Extra -32601')
})

test('unknown can be cancelled when nobody answers', async () => {
  const turn = session.startPrompt('unknown')
  await session.untilRequest('demo/unknown')
  session.cancel()
  expect(await turn).toEqual({ stopReason: 'cancelled' })
})

test('nulls sends nothing where something belongs', async () => {
  const { messages } = await wireOf('nulls')
  const updates = messages.filter(isUpdate).map(({ params }) => params?.['update'])
  expect(updates).toHaveLength(9)
  expect(updates.slice(1, 6)).toMatchObject([
    { toolCallId: expect.any(String), title: null, status: null, content: null, rawOutput: null },
    { sessionUpdate: 'usage_update', used: null },
    { sessionUpdate: 'plan', entries: null },
    { sessionUpdate: 'agent_message_chunk', content: null },
    { content: { type: 'text' } },
  ])
  const nobody = messages.filter(isUpdate).filter(({ params }) => !params?.['sessionId'])
  expect(nobody).toHaveLength(1)
  expect(updates.at(-2)).toBe(null)
  expect(updates.at(-1)).toMatchObject({ content: { text: 'That was nothing.' } })
})

test('reuse has the same tool call id in every turn', async () => {
  const [first, second] = [await session.prompt('reuse'), await session.prompt('reuse')]
  for (const { updates } of [first, second]) {
    expect(toolCallsOf(updates)).toEqual(['tool_call in_progress', 'tool_call_update completed'])
    expect(updates.slice(0, 2)).toMatchObject([{ toolCallId: 'call-1' }, { toolCallId: 'call-1' }])
  }
  expect(second.updates[1]).not.toEqual(first.updates[1])
})

test('interleave takes turns, and goes back to pending in the end', async () => {
  const { updates } = await session.prompt('interleave')
  const ids = updates.slice(0, -1).map((update) => (update as { toolCallId: string }).toolCallId)
  expect(ids).toEqual([0, 1, 2, 3].flatMap(() => [ids[0], ids[1]]).concat(ids[0]))
  expect(toolCallsOf(updates).slice(-3)).toEqual([
    'tool_call_update completed',
    'tool_call_update completed',
    'tool_call_update pending',
  ])
})

test('junk writes every kind of bad line and still a good answer', async () => {
  const from = agent.reads.length
  const { response, text } = await session.prompt('junk')
  expect(response.stopReason).toBe('end_turn')
  expect(text).toBe('after CRLF after a BOM and a good answer.')
  const written = agent.textFrom(from)
  expect(agent.junkLines[0]).toBe('Warning: this line is not JSON')
  expect(agent.junkLines[1]).toMatch(/^\{"jsonrpc".*"sessionId":$/)
  expect(written).toContain('\n\n   \n{}\n{"jsonrpc":"2.0","id":987654321,"result":{}}\n')
  expect(written).toContain('}\r\n\uFEFF{')
})

test('noise writes exactly as many junk lines as asked', async () => {
  const from = agent.junkLines.length
  const { text } = await session.prompt('noise 2500')
  expect(text).toBe('That was noise, 2500 lines of it.')
  expect(agent.junkLines.slice(from)).toHaveLength(2_500)
  expect(agent.junkLines.at(-1)).toBe('noise 2500, and not a word of JSON')
})

test('long writes one line of the asked length that is no JSON', async () => {
  const from = agent.junkLines.length
  expect((await session.prompt('long 3000000')).text).toContain('3000000 characters')
  expect(agent.junkLines.slice(from).map(({ length }) => length)).toEqual([3_000_000])
})

test('deep nests as deep as asked', async () => {
  const { updates, text } = await session.prompt('deep 20000')
  const [call, chunk] = updates as Record<string, unknown>[]
  expect([levelsOf(call?.['rawOutput']), levelsOf(chunk?.['_meta'])]).toEqual([20_000, 20_000])
  expect(text).toBe('Deep, 20000 levels.')
})

test('split writes a line byte by byte, with nothing between the bytes', async () => {
  const other = await agent.newSession()
  const from = agent.reads.length
  const [{ text }, echoed] = await Promise.all([session.prompt('split'), other.prompt('echo hi')])
  expect(text).toBe('Grüße vom Kai ⚓ 船 🚢, in one piece again.')
  expect(echoed.text).toBe('hi')
  const reads = agent.reads.slice(from)
  const first = reads.findIndex(({ length }) => length === 1)
  const end = reads.findLastIndex(({ length }) => length === 1) + 1
  const line = reads.slice(first, end)
  expect(line.every(({ length }) => length === 1)).toBe(true)
  expect(Buffer.concat(line).toString()).toMatch(
    /^\{"jsonrpc".*Grüße vom Kai ⚓ 船 🚢, "\}{4}\r\n$/,
  )
})

test('batch sends its updates as one array before the answer', async () => {
  const { text } = await session.prompt('batch')
  expect(text).toBe('one two three and the answer.')
  const lines = agent.textFrom(0).split('\n')
  const batch = JSON.parse(lines.find((line) => line.startsWith('[')) ?? '[]') as unknown[]
  expect(batch).toHaveLength(3)
})

test('early-update writes the updates and the response at once', async () => {
  const { response, text } = await session.prompt('early-update')
  expect(text).toBe('all in one write')
  expect(response).toEqual({ stopReason: 'end_turn' })
  const read = agent.reads.map(String).find((bytes) => bytes.includes('"all "'))
  expect(read).toContain('"stopReason":"end_turn"')
})

function isUpdate({ method }: Message): boolean {
  return method === 'session/update'
}

interface Nested {
  in?: Nested
}

// Without recursion, which would exhaust the stack.
function levelsOf(value: unknown): number {
  let levels = 0
  for (let inner = value as Nested; inner.in; inner = inner.in) levels++
  return levels
}
