// Words that misbehave, each in its own way.
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAgent, textOf } from './agent-child.ts'
import type { AgentChild } from './agent-child.ts'

let agent: AgentChild
beforeAll(async () => {
  agent = await startAgent()
})
afterAll(() => agent[Symbol.asyncDispose]())

test('crash sends a few chunks, says so on stderr and exits with 7', async () => {
  const agent = await startAgent()
  const session = await agent.newSession()
  const turn = session.startPrompt('crash')
  turn.catch(() => {})
  const { code, stderr } = await agent.exited
  expect(code).toBe(7)
  expect(stderr).toContain('crashing, as asked')
  expect(textOf(agent.updatesOf(session.id), 'agent_message_chunk')).toBe('This will not ')
  await expect(turn).rejects.toThrow('The agent is gone')
})

test('exit0 leaves in the middle of the turn with 0', async () => {
  const agent = await startAgent()
  const session = await agent.newSession()
  const turn = session.startPrompt('exit0')
  turn.catch(() => {})
  expect(await agent.exited).toEqual({ code: 0, stderr: '' })
  expect(textOf(agent.updatesOf(session.id), 'agent_message_chunk')).toBe('Leaving early.')
  await expect(turn).rejects.toThrow('The agent is gone')
})

test('hang does not answer a cancel, while other sessions go on', async () => {
  const [session, other] = [await agent.newSession(), await agent.newSession()]
  let isAnswered = false
  const turn = session.startPrompt('hang').finally(() => (isAnswered = true))
  turn.catch(() => {})
  session.cancel()
  expect((await other.prompt('echo alive')).text).toBe('alive')
  await setImmediate()
  expect(isAnswered).toBe(false)
})

test('junk writes every kind of bad line and still a good answer', async () => {
  const session = await agent.newSession()
  const { response, text } = await session.prompt('junk')
  expect(response.stopReason).toBe('end_turn')
  expect(text).toBe('after CRLF after a BOM and a good answer.')
  const written = agent.reads.join('')
  expect(agent.junkLines[0]).toBe('Warning: this line is not JSON')
  expect(agent.junkLines[1]).toMatch(/^\{"jsonrpc".*"sessionId":$/)
  expect(written).toContain('\n\n   \n{}\n{"jsonrpc":"2.0","id":987654321,"result":{}}\n')
  expect(written).toContain('}\r\n\uFEFF{')
})

test('batch sends its updates as one array before the answer', async () => {
  const session = await agent.newSession()
  const { text } = await session.prompt('batch')
  expect(text).toBe('one two three and the answer.')
  const lines = agent.reads.join('').split('\n')
  const batch = JSON.parse(lines.find((line) => line.startsWith('[')) ?? '[]') as unknown[]
  expect(batch).toHaveLength(3)
})

test('early-update writes the updates and the response at once', async () => {
  const session = await agent.newSession()
  const { response, text } = await session.prompt('early-update')
  expect(text).toBe('all in one write')
  expect(response).toEqual({ stopReason: 'end_turn' })
  const read = agent.reads.find((bytes) => bytes.includes('"all "'))
  expect(read).toContain('"stopReason":"end_turn"')
})

test('a new session can be updated before it is named', async () => {
  await using agent = await startAgent({ env: { QUAYSIDE_DEMO_EARLY_UPDATE: '1' } })
  const session = await agent.newSession()
  const [update, response] = agent.messages.slice(-2)
  expect(update).toMatchObject({
    method: 'session/update',
    params: { sessionId: session.id, update: { sessionUpdate: 'available_commands_update' } },
  })
  expect(response).toMatchObject({ result: { sessionId: session.id } })
  expect((await session.prompt('echo fine')).text).toBe('fine')
})
