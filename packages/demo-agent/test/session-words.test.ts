// Words about the session, and words that ask a person.
import { readFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RpcError, selected, startAgent } from './agent-client.ts'
import type { AgentClient } from './agent-client.ts'

let agent: AgentClient
/** The same, with a client that offers forms and addresses. */
let served: AgentClient
beforeAll(async () => {
  const capabilities = { elicitation: { form: {}, url: {} } }
  ;[agent, served] = await Promise.all([startAgent(), startAgent({ capabilities })])
})
afterAll(() => Promise.all([agent, served].map((child) => child[Symbol.asyncDispose]())))

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

test('help lists every word, as the commands of the session and the README do', async () => {
  const session = await agent.newSession()
  const update = await session.untilUpdate('available_commands_update')
  const commands = (update as { availableCommands: { name: string }[] }).availableCommands
  const { text } = await session.prompt('help')
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const [listed, documented] = [text, readme].map((markdown) =>
    [...markdown.matchAll(/^\| `([a-z\d-]+)/gm)].map(([, name]) => name),
  )
  expect(listed).toEqual(commands.map(({ name }) => name))
  expect(documented).toEqual(listed)
  const [abilities, faults] = text.split('**How I can misbehave**')
  expect(abilities).toContain('| `echo TEXT` |')
  expect(faults).toContain('| `crash [tool]` |')
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

test('ask calls its options by the names it is given', async () => {
  const session = await agent.newSession()
  const turn = session.prompt('ask Yes, once | Yes, always | No thanks')
  const permission = await session.untilRequest('session/request_permission')
  expect(permission.params['options']).toMatchObject([
    { name: 'Yes, once', kind: 'allow_once' },
    { name: 'Yes, always', kind: 'allow_always' },
    { name: 'No thanks', kind: 'reject_once' },
  ])
  permission.answer(selected('reject_once'))
  expect((await turn).text).toBe('selected reject_once')
})

test('ask says that a permission was cancelled', async () => {
  const session = await agent.newSession()
  const turn = session.prompt('ask')
  const permission = await session.untilRequest('session/request_permission')
  permission.answer({ outcome: { outcome: 'cancelled' } })
  expect(await turn).toMatchObject({ text: 'cancelled', response: { stopReason: 'end_turn' } })
})

test('ask-call sends a tool call, and asks about it by its id alone', async () => {
  const session = await agent.newSession()
  const turn = session.prompt('ask-call {"kind":"execute","rawInput":{"command":"ls"}}')
  const permission = await session.untilRequest('session/request_permission')
  expect(permission.params['toolCall']).toEqual({ toolCallId: expect.any(String) as string })
  permission.answer(selected('reject_once'))
  const { text, updates } = await turn
  expect(text).toBe('selected reject_once')
  expect(updates).toContainEqual(
    expect.objectContaining({ sessionUpdate: 'tool_call', rawInput: { command: 'ls' } }),
  )
})

test('two-asks has two permissions open, and says what became of each', async () => {
  const session = await agent.newSession()
  const turn = session.prompt('two-asks')
  const first = await session.untilRequest('session/request_permission')
  const second = await session.untilRequest('session/request_permission')
  expect(first.params).toMatchObject({ toolCall: { title: 'Do nothing' } })
  second.answer({ outcome: { outcome: 'cancelled' } })
  first.answer(selected('allow_once'))
  expect((await turn).text).toBe('first selected allow_once, second cancelled')
})

test('withdraw takes its question back and goes on, whatever is answered', async () => {
  const session = await agent.newSession()
  const turn = session.prompt('withdraw')
  const permission = await session.untilRequest('session/request_permission')
  const withdrawn = await agent.until(({ method, params }) =>
    method === '$/cancel_request' ? params?.['requestId'] : undefined,
  )
  expect(withdrawn).toBe(permission.id)
  expect((await turn).text).toBe('Never mind, I go on without.')
  permission.answer({ outcome: { outcome: 'cancelled' } })
  expect((await session.prompt('echo and again')).text).toBe('and again')
})

test.each([
  [
    { action: 'accept', content: { name: 'quay', tests: true } },
    'accept {"name":"quay","tests":true}',
  ],
  [{ action: 'decline' }, 'decline'],
  [{ action: 'cancel' }, 'cancel'],
])('question answers with what it got: %j', async (answer, said) => {
  const session = await served.newSession()
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

test.each([
  ['accept', 'url'],
  ['decline', 'url'],
  ['accept', 'url done'],
])(
  'question is answered %s to "%s", and says when the address is dealt with',
  async (action, args) => {
    const session = await served.newSession()
    const turn = session.prompt(`question ${args}`)
    const asked = await session.untilRequest('elicitation/create')
    expect(asked.params).toMatchObject({
      sessionId: session.id,
      mode: 'url',
      url: 'https://example.com/',
    })
    const { elicitationId } = asked.params
    const isDealtWith = () =>
      served.until(({ method, params }) =>
        method === 'elicitation/complete' && params?.['elicitationId'] === elicitationId
          ? true
          : undefined,
      )
    if (args === 'url done') await isDealtWith()
    asked.answer({ action })
    if (args === 'url' && action === 'accept') await isDealtWith()
    expect((await turn).text).toBe(action)
  },
)

test('question says when the client offers no forms, or opens no addresses', async () => {
  const session = await agent.newSession()
  expect((await session.prompt('question url')).text).toContain('does not open addresses')
  expect((await session.prompt('question')).text).toContain('does not offer forms')
})

test('cwd says where the process and the session are', async () => {
  const session = await agent.newSession()
  expect((await session.prompt('cwd')).text).toBe(
    `process ${process.cwd()}\nsession ${session.cwd}`,
  )
})

test('env lists names in order, and no values', async () => {
  const { text } = await (await agent.newSession()).prompt('env')
  const names = text.split('\n')
  expect(names).toEqual(names.toSorted())
  expect(names).toEqual(expect.arrayContaining(['PATH', 'QUAYSIDE_DEMO_PACE']))
  expect(text).not.toContain('=')
})

test('mcp lists the servers the session was opened with', async () => {
  const servers = ['files', 'chart'].map((name) => ({ name, command: '/x', args: [], env: [] }))
  const session = await agent.newSession(agent.newFolder(), servers)
  expect((await session.prompt('mcp')).text).toBe('["files","chart"]')
  const params = { sessionId: session.id, cwd: session.cwd, mcpServers: servers.slice(1) }
  await agent.request('session/load', params)
  expect((await session.prompt('mcp')).text).toBe('["chart"]')
})
