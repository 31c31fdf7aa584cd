// Words that answer with text.
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { kindsOf, startAgent, textOf } from './agent-client.ts'
import type { AgentClient } from './agent-client.ts'

let agent: AgentClient
beforeAll(async () => {
  agent = await startAgent()
})
afterAll(() => agent[Symbol.asyncDispose]())

test('echo answers with its text in one chunk', async () => {
  const session = await agent.newSession()
  const { response, updates } = await session.prompt('echo Grüße,\n  two lines')
  expect(response).toEqual({ stopReason: 'end_turn' })
  expect(updates.at(-1)).toEqual({
    sessionUpdate: 'agent_message_chunk',
    content: { type: 'text', text: 'Grüße,\n  two lines' },
  })
  expect((await session.prompt('/echo as a command')).text).toBe('as a command')
})

test('think thinks in chunks and then answers', async () => {
  const session = await agent.newSession()
  const { updates, text } = await session.prompt('think about the sea')
  expect(kindsOf(updates)).toEqual([
    'agent_thought_chunk',
    'agent_thought_chunk',
    'agent_thought_chunk',
    'agent_message_chunk',
  ])
  expect(textOf(updates, 'agent_thought_chunk')).toBe('about the sea')
  expect(text).toBe('I thought about: about the sea')
})

test('stream sends its chunks in order', async () => {
  const session = await agent.newSession()
  const { updates, text } = await session.prompt('stream 500')
  expect(updates).toHaveLength(500)
  expect(text).toBe(Array.from({ length: 500 }, (_, index) => `chunk ${index + 1}\n`).join(''))
})

/** The agent's waits take no time and are recorded. */
async function waitsOf(prompt: string) {
  const waits: number[] = []
  await using patient = await startAgent({ sleep: async (ms) => void waits.push(ms) })
  const session = await patient.newSession()
  return { ...(await session.prompt(prompt)), waits }
}

test('drip keeps its rhythm', async () => {
  const { text, waits } = await waitsOf('drip 4 60000')
  // The time of each drop is relative to the start of the turn.
  expect(waits.map((ms) => Math.ceil(ms / 60_000))).toEqual([1, 2, 3, 4])
  expect(text).toBe('drop 1\ndrop 2\ndrop 3\ndrop 4\n')
})

test('flood sends marked chunks of the asked size, in order and complete', async () => {
  const session = await agent.newSession()
  const { response, updates } = await session.prompt('flood 5000 100')
  const texts = updates.map((update) => textOf([update], 'agent_message_chunk'))
  expect(texts).toHaveLength(5000)
  expect(texts.every((text) => text.length === 100)).toBe(true)
  expect(texts.every((text, n) => text.startsWith(`~${String(n + 1).padStart(9, '0')}~`))).toBe(
    true,
  )
  expect(response.stopReason).toBe('end_turn')
})

test('flood waits for a reader that does not read, and can then be cancelled', async () => {
  await using agent = await startAgent()
  const session = await agent.newSession()
  const turn = session.startPrompt('flood 9000000 1000')
  await session.untilUpdate('agent_message_chunk')
  agent.setReading(false)
  session.cancel()
  await setImmediate()
  agent.setReading(true)
  expect(await turn).toEqual({ stopReason: 'cancelled' })
  expect(agent.updatesOf(session.id).length).toBeLessThan(1_000_000)
})

test('big sends one chunk of the asked size', async () => {
  const session = await agent.newSession()
  expect((await session.prompt('big 3000000')).text).toHaveLength(3_000_000)
})

test('slow is silent, then answers', async () => {
  const { updates, text, waits } = await waitsOf('slow 0.15')
  expect(waits).toEqual([150])
  expect(kindsOf(updates)).toEqual(['agent_message_chunk'])
  expect(text).toBe('done after 0.15 s')
})

test('snapshot repeats the text so far in every chunk', async () => {
  const session = await agent.newSession()
  expect((await session.prompt('snapshot')).text).toBe('HHeHelHellHello')
  expect((await session.prompt('snapshot abc')).text).toBe('aababc')
})

test('data-uri sends a picture in the text, cut in awkward places', async () => {
  const session = await agent.newSession()
  const { updates, text } = await session.prompt('data-uri')
  const [, base64 = ''] =
    /^Before\. !\[a flag\]\(data:image\/png;base64,(\S+)\) After\.$/.exec(text) ?? []
  expect(Buffer.from(base64, 'base64').subarray(1, 4).toString()).toBe('PNG')
  expect(updates.length).toBeGreaterThan(20)
  expect(updates.some((update) => textOf([update], 'agent_message_chunk').includes('data:'))).toBe(
    false,
  )
})

test.each([
  ['echo', 'Usage: `echo TEXT` (answers with TEXT in one chunk). Here, something is missing.'],
  ['stream many', 'N must be a whole number from 0 to 999999999, not "many"'],
  ['drip 3', 'Usage: `drip N MS`'],
  ['flood 3 5', 'BYTES must be from 11 to'],
  ['big', 'BYTES must be given, and nothing else'],
  ['slow down', 'S must be from 0 to 86400'],
  ['mode lazy', '"lazy" is no mode'],
  ['read', 'Usage: `read PATH`'],
  ['edit', 'Usage: `edit PATH`'],
  ['run', 'a command is missing'],
  ['title', 'Usage: `title T`'],
  ['stop', 'Usage: `stop REASON`'],
  ['fail', 'a whole number and a message must be given'],
  ['fail soon', 'a whole number and a message must be given'],
  ['fail -32603', 'a whole number and a message must be given'],
  ['noise', 'N must be given'],
  ['long 999999999', 'BYTES must be at most'],
  ['deep 99999999', 'N must be at most'],
])('the wrong arguments of "%s" are answered with how to use it', async (prompt, sentence) => {
  const session = await agent.newSession()
  const { response, text } = await session.prompt(prompt)
  expect(text).toContain('Usage: `')
  expect(text).toContain(sentence)
  expect(response.stopReason).toBe('end_turn')
})
