// Settings from the environment.
import { expect, test } from 'vitest'
import type { NewSessionResponse } from '@agentclientprotocol/sdk'
import { readSettings } from '../src/settings.ts'
import { spawnChild } from './agent-child.ts'
import { kindsOf, startAgent, textOf } from './agent-client.ts'

test.each([
  ['none', {}, []],
  ['load', {}, ['load']],
  ['resume, list', { resume: {}, list: {} }, ['resume', 'list']],
  ['fork', { fork: {} }, ['fork']],
])('QUAYSIDE_DEMO_CAPS=%s offers exactly that', async (caps, sessionCapabilities, offered) => {
  await using agent = await startAgent({ env: { QUAYSIDE_DEMO_CAPS: caps } })
  const { agentCapabilities } = agent.initialized
  expect(agentCapabilities?.loadSession).toBe(offered.includes('load'))
  expect(agentCapabilities?.sessionCapabilities).toEqual(sessionCapabilities)
  const { id: sessionId, cwd } = await agent.newSession()
  for (const name of ['load', 'resume', 'fork', 'list', 'close']) {
    const params = name === 'list' ? {} : { sessionId, cwd, mcpServers: [] }
    const called = agent.request(`session/${name}`, params)
    if (offered.includes(name)) await called
    else await expect(called).rejects.toMatchObject({ code: -32601 })
  }
})

test.each([
  ['none', [], []],
  ['audio, sse', ['audio'], ['sse']],
  [undefined, ['image', 'embeddedContext'], []],
])('QUAYSIDE_DEMO_INPUTS=%s declares exactly that', async (inputs, content, servers) => {
  await using agent = await startAgent({ env: { ...(inputs && { QUAYSIDE_DEMO_INPUTS: inputs }) } })
  const { promptCapabilities, mcpCapabilities } = agent.initialized.agentCapabilities ?? {}
  const declared = (from: object | undefined) =>
    Object.entries(from ?? {}).flatMap(([name, isDeclared]) => (isDeclared ? [name] : []))
  expect(declared(promptCapabilities)).toEqual(content)
  expect(declared(mcpCapabilities)).toEqual(servers)
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

test('QUAYSIDE_DEMO_AUTH=1 opens no session before a sign-in', async () => {
  await using agent = await startAgent({ env: { QUAYSIDE_DEMO_AUTH: '1' } })
  const authMethods = [
    { id: 'demo-login', name: 'Demo sign-in' },
    { id: 'demo-terminal', type: 'terminal', args: ['--sign-in'] },
  ]
  expect(agent.initialized).toMatchObject({
    authMethods,
    agentCapabilities: { auth: { logout: {} } },
  })
  const refusal = { code: -32000, message: 'Authentication required', data: { authMethods } }
  await expect(agent.newSession()).rejects.toMatchObject(refusal)
  const wrong = agent.request('authenticate', { methodId: 'passport' })
  await expect(wrong).rejects.toMatchObject({ code: -32602 })

  expect(await agent.request('authenticate', { methodId: 'demo-login' })).toEqual({})
  const session = await agent.newSession()
  expect((await session.prompt('echo in')).text).toBe('in')

  expect(await agent.request('logout', {})).toEqual({})
  await expect(agent.newSession()).rejects.toMatchObject(refusal)
  const params = { sessionId: session.id, cwd: session.cwd, mcpServers: [] }
  await expect(agent.request('session/load', params)).rejects.toMatchObject(refusal)
})

test('a sign-in is seen by other agents with the same folder', async () => {
  await using owner = await startAgent()
  const env = { QUAYSIDE_DEMO_AUTH: '1', QUAYSIDE_DEMO_STATE_DIR: owner.newFolder() }
  await using one = await startAgent({ env })
  await using other = await startAgent({ env })
  await one.request('authenticate', { methodId: 'demo-login' })
  expect((await other.newSession()).id).toBeTruthy()
  await other.request('logout', {})
  await expect(one.newSession()).rejects.toMatchObject({ code: -32000 })
})

test('without a setting, all is offered and there is no sign-in', async () => {
  await using agent = await startAgent()
  expect(agent.initialized.agentCapabilities).toMatchObject({
    loadSession: true,
    sessionCapabilities: { resume: {}, list: {}, close: {} },
  })
  expect(agent.initialized.authMethods).toEqual([])
  expect(agent.initialized.agentCapabilities?.auth).toBeUndefined()
  const called = agent.request('authenticate', { methodId: 'demo-login' })
  await expect(called).rejects.toMatchObject({ code: -32601 })
})

test('QUAYSIDE_DEMO_REPLAY=late replays behind the response of load', async () => {
  await using agent = await startAgent({ env: { QUAYSIDE_DEMO_REPLAY: 'late' } })
  const session = await agent.newSession()
  await session.prompt('echo one')
  await session.prompt('tools')
  const from = agent.messages.length
  const loaded = await agent.request('session/load', {
    sessionId: session.id,
    cwd: session.cwd,
    mcpServers: [],
  })
  expect(agent.messages[from]?.result).toBe(loaded)
  await agent.until((message) => {
    const update = message.params?.['update'] as { sessionUpdate?: string } | undefined
    const isLast = update?.sessionUpdate === 'available_commands_update'
    return isLast && agent.messages.indexOf(message) > from ? true : undefined
  })
  const updates = agent.updatesOf(session.id, from)
  expect(textOf(updates, 'user_message_chunk')).toBe('echo onetools')
  expect(kindsOf(updates).filter((kind) => kind.startsWith('tool_call'))).toHaveLength(11)
  expect(kindsOf(updates).indexOf('available_commands_update')).toBe(updates.length - 1)
})

test('QUAYSIDE_DEMO_MODELS=legacy offers models as Gemini CLI does', async () => {
  await using agent = await startAgent({ env: { QUAYSIDE_DEMO_MODELS: 'legacy' } })
  const session = await agent.newSession()
  const models = {
    availableModels: [
      { modelId: 'script-small', name: 'Script S' },
      { modelId: 'script-large', name: 'Script L' },
    ],
    currentModelId: 'script-small',
  }
  expect(session.opened).toMatchObject({ models, modes: { currentModeId: 'ask' } })
  expect(session.opened).not.toHaveProperty('configOptions')
  const { id: sessionId, cwd } = session
  const setModel = (modelId: string) => agent.request('session/set_model', { sessionId, modelId })
  expect(await setModel('script-large')).toEqual({})
  await expect(setModel('gpt')).rejects.toMatchObject({ code: -32602 })
  const option = { sessionId, configId: 'model', value: 'script-large' }
  const called = agent.request('session/set_config_option', option)
  await expect(called).rejects.toMatchObject({ code: -32601 })
  const { updates } = await session.prompt('mode code')
  expect(kindsOf(updates)).not.toContain('config_option_update')
  const params = { sessionId, cwd, mcpServers: [] }
  const loaded = (await agent.request('session/load', params)) as NewSessionResponse
  expect(loaded).toMatchObject({ models: { ...models, currentModelId: 'script-large' } })
})

test.each([
  [{ QUAYSIDE_DEMO_CAPS: 'load,fly' }, '"fly" is not one of load, resume, fork, list, close'],
  [{ QUAYSIDE_DEMO_FAULTS: 'junk,fly' }, 'QUAYSIDE_DEMO_FAULTS: "fly" is not one of junk, '],
  [{ QUAYSIDE_DEMO_REPLAY: 'never' }, 'QUAYSIDE_DEMO_REPLAY: "never" is not one of early, late.'],
])('a wrong setting %j is refused with the allowed values', (env, sentence) => {
  expect(() => readSettings(env)).toThrow(sentence)
})

test('a wrong setting stops the start of the process with exit code 2 and the reason on stderr', async () => {
  const { ended } = spawnChild({ QUAYSIDE_DEMO_CAPS: 'fly' })
  expect(await ended()).toEqual({
    code: 2,
    stderr: 'QUAYSIDE_DEMO_CAPS: "fly" is not one of load, resume, fork, list, close.\n',
  })
})
