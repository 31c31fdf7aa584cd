// Words about the session, and words that ask the person.
import { inflateSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RpcError, selected, startAgent } from './agent-child.ts'
import type { AgentChild } from './agent-child.ts'

let agent: AgentChild
beforeAll(async () => {
  agent = await startAgent()
})
afterAll(() => agent[Symbol.asyncDispose]())

test('title names the session', async () => {
  const session = await agent.newSession()
  const { updates } = await session.prompt('title Harbour works')
  expect(updates).toContainEqual({
    sessionUpdate: 'session_info_update',
    title: 'Harbour works',
    updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  })
})

test('a session offers modes and options, and mode switches them', async () => {
  const session = await agent.newSession()
  expect(session.opened).toMatchObject({
    modes: { currentModeId: 'ask', availableModes: [{ id: 'ask' }, { id: 'code' }] },
    configOptions: [
      { id: 'mode', type: 'select', currentValue: 'ask' },
      { id: 'model', type: 'select', currentValue: 'script-small' },
    ],
  })
  const { updates, text } = await session.prompt('mode')
  expect(updates).toContainEqual({ sessionUpdate: 'current_mode_update', currentModeId: 'code' })
  expect(updates).toContainEqual({
    sessionUpdate: 'config_option_update',
    configOptions: expect.arrayContaining([
      expect.objectContaining({ id: 'mode', currentValue: 'code' }),
    ]),
  })
  expect(text).toBe('The mode is now code.')
  expect((await session.prompt('mode ask')).text).toBe('The mode is now ask.')
})

test('the client can set the mode and the options, but only to what is offered', async () => {
  const { id: sessionId, ...session } = await agent.newSession()
  expect(session.cwd).toBeTruthy()
  expect(await agent.request('session/set_mode', { sessionId, modeId: 'code' })).toEqual({})
  const model = { sessionId, configId: 'model', value: 'script-large' }
  expect(await agent.request('session/set_config_option', model)).toMatchObject({
    configOptions: [{ currentValue: 'code' }, { currentValue: 'script-large' }],
  })
  await expect(agent.request('session/set_mode', { sessionId, modeId: 'x' })).rejects.toMatchObject(
    {
      code: -32602,
    },
  )
  const wrong = agent.request('session/set_config_option', { ...model, value: 'gpt' })
  await expect(wrong).rejects.toBeInstanceOf(RpcError)
})

test('usage reports the window in an update and the tokens in the response', async () => {
  const session = await agent.newSession()
  const { response, updates } = await session.prompt('usage')
  expect(updates).toContainEqual({
    sessionUpdate: 'usage_update',
    used: 1234,
    size: 200000,
    cost: { amount: 0.0042, currency: 'USD' },
  })
  expect(response).toEqual({
    stopReason: 'end_turn',
    usage: { totalTokens: 1234, inputTokens: 1200, outputTokens: 34 },
  })
})

test('image answers with a picture that can be decoded', async () => {
  const session = await agent.newSession()
  const { updates } = await session.prompt('image')
  const update = updates.at(-1)
  expect(update).toMatchObject({
    sessionUpdate: 'agent_message_chunk',
    content: { mimeType: 'image/png' },
  })
  const png = Buffer.from((update as { content: { data: string } }).content.data, 'base64')
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([32, 32])
  const pixels = png.subarray(png.indexOf('IDAT') + 4, png.indexOf('IEND') - 8)
  expect(inflateSync(pixels)).toHaveLength(32 * 5)
})

test('recall lists the earlier prompts', async () => {
  const session = await agent.newSession()
  expect((await session.prompt('recall')).text).toBe('I remember no earlier prompts.')
  await session.prompt('echo one')
  expect((await session.prompt('recall')).text).toBe('I remember 2:\n1. recall\n2. echo one')
})

test('help lists every word, and the same words are the commands of the session', async () => {
  const session = await agent.newSession()
  const update = await session.untilUpdate('available_commands_update')
  const commands = (update as { availableCommands: { name: string }[] }).availableCommands
  const { text } = await session.prompt('help')
  const listed = [...text.matchAll(/^\| `([\w-]+)/gm)].map(([, name]) => name)
  expect(listed).toEqual(commands.map(({ name }) => name))
  expect(listed).toHaveLength(27)
})

test.each(['allow_once', 'allow_always', 'reject_once'])(
  'ask says that %s was selected',
  async (option) => {
    const session = await agent.newSession()
    const turn = session.prompt('ask')
    const permission = await session.untilRequest('session/request_permission')
    expect(permission.params['options']).toContainEqual(
      expect.objectContaining({ optionId: option, kind: option }),
    )
    permission.answer(selected(option))
    expect((await turn).text).toBe(`selected ${option}`)
  },
)

test('ask says that a permission was cancelled', async () => {
  const session = await agent.newSession()
  const turn = session.prompt('ask')
  const permission = await session.untilRequest('session/request_permission')
  permission.answer({ outcome: { outcome: 'cancelled' } })
  expect(await turn).toMatchObject({ text: 'cancelled', response: { stopReason: 'end_turn' } })
})

test.each([
  [
    { action: 'accept', content: { name: 'quay', tests: true } },
    'accept {"name":"quay","tests":true}',
  ],
  [{ action: 'decline' }, 'decline'],
  [{ action: 'cancel' }, 'cancel'],
])('question answers with what it got: %j', async (answer, said) => {
  await using agent = await startAgent({ capabilities: { elicitation: { form: {} } } })
  const session = await agent.newSession()
  const turn = session.prompt('question')
  const form = await session.untilRequest('elicitation/create')
  expect(form.params).toMatchObject({
    sessionId: session.id,
    mode: 'form',
    requestedSchema: { properties: { name: { type: 'string' } }, required: ['name'] },
  })
  form.answer(answer)
  expect((await turn).text).toBe(said)
})

test('question says when the client offers no forms', async () => {
  const session = await agent.newSession()
  expect((await session.prompt('question')).text).toContain('does not offer forms')
})
