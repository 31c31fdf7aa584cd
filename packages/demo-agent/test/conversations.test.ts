// Memory: load, resume, list and close, within a process and across processes.
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { kindsOf, startAgent, temporaryFolder, TestSession, textOf } from './agent-child.ts'
import type { AgentChild } from './agent-child.ts'

/** Has a short conversation in an agent that is gone afterwards. */
async function converse(stateDir: string, ...prompts: string[]) {
  await using agent = await startAgent({ env: { QUAYSIDE_DEMO_STATE_DIR: stateDir } })
  const session = await agent.newSession()
  for (const prompt of prompts) await session.prompt(prompt)
  return { sessionId: session.id, cwd: session.cwd, mcpServers: [] }
}

async function reopen(
  agent: AgentChild,
  method: string,
  params: { sessionId: string; cwd: string },
) {
  const from = agent.messages.length
  const opened = (await agent.request(method, params)) as object
  const response = agent.messages.findIndex(({ result }) => result === opened)
  const replayed = agent.updatesOf(params.sessionId, from, response)
  const { sessionId, cwd } = params
  return { opened, replayed, session: new TestSession(agent, cwd, { sessionId, ...opened }) }
}

test('load replays the whole conversation before its response, in a new process', async () => {
  const stateDir = temporaryFolder()
  const params = await converse(stateDir, 'echo hello', 'think hard now', 'tools', 'mode code')
  await using agent = await startAgent({ env: { QUAYSIDE_DEMO_STATE_DIR: stateDir } })
  const { opened, replayed, session } = await reopen(agent, 'session/load', params)
  expect(textOf(replayed, 'user_message_chunk')).toBe('echo hellothink hard nowtoolsmode code')
  expect(kindsOf(replayed).slice(0, 5)).toEqual([
    'user_message_chunk',
    'agent_message_chunk',
    'user_message_chunk',
    'agent_thought_chunk',
    'agent_message_chunk',
  ])
  expect(textOf(replayed, 'agent_thought_chunk')).toBe('hard now')
  expect(kindsOf(replayed).filter((kind) => kind.startsWith('tool_call'))).toHaveLength(11)
  expect(opened).toMatchObject({ modes: { currentModeId: 'code' } })
  expect((await session.prompt('recall')).text).toContain('I remember 4:\n1. echo hello\n')
})

test('resume remembers, but replays nothing', async () => {
  const stateDir = temporaryFolder()
  const params = await converse(stateDir, 'echo hello')
  await using agent = await startAgent({ env: { QUAYSIDE_DEMO_STATE_DIR: stateDir } })
  const { replayed, session } = await reopen(agent, 'session/resume', params)
  expect(replayed).toEqual([])
  expect((await session.prompt('recall')).text).toBe('I remember 1:\n1. echo hello')
})

test('a prompt survives the crash it caused', async () => {
  const stateDir = temporaryFolder()
  const env = { QUAYSIDE_DEMO_STATE_DIR: stateDir }
  const crashing = await startAgent({ env })
  const { id: sessionId, cwd, ...rest } = await crashing.newSession()
  expect(rest.opened.sessionId).toBe(sessionId)
  const prompt = [{ type: 'text', text: 'crash' }]
  crashing.request('session/prompt', { sessionId, prompt }).catch(() => {})
  expect((await crashing.exited).code).toBe(7)
  await using agent = await startAgent({ env })
  const { session } = await reopen(agent, 'session/resume', { sessionId, cwd })
  expect((await session.prompt('recall')).text).toBe('I remember 1:\n1. crash')
})

test('without a folder, a session can be loaded only in its own process', async () => {
  await using agent = await startAgent()
  const { id: sessionId, cwd, ...session } = await agent.newSession()
  expect(session.opened.modes).toBeTruthy()
  await agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'echo a' }] })
  const params = { sessionId, cwd, mcpServers: [] }
  const { replayed } = await reopen(agent, 'session/load', params)
  expect(kindsOf(replayed)).toEqual(['user_message_chunk', 'agent_message_chunk'])
  await using stranger = await startAgent()
  await expect(stranger.request('session/load', params)).rejects.toMatchObject({
    code: -32002,
    data: { sessionId },
  })
})

test('a session id cannot name a file elsewhere, and a damaged file is no session', async () => {
  const stateDir = temporaryFolder()
  const { cwd, sessionId } = await converse(stateDir, 'echo a')
  await using agent = await startAgent({
    env: { QUAYSIDE_DEMO_STATE_DIR: join(stateDir, 'inner') },
  })
  const outside = { sessionId: `../${sessionId}`, cwd, mcpServers: [] }
  await expect(agent.request('session/load', outside)).rejects.toMatchObject({ code: -32002 })
  writeFileSync(join(stateDir, 'inner', `${sessionId}.json`), '{"sessionId":')
  const damaged = agent.request('session/load', { ...outside, sessionId })
  await expect(damaged).rejects.toMatchObject({ code: -32002 })
})

test('list names the sessions, newest first, and can be narrowed to a folder', async () => {
  const stateDir = temporaryFolder()
  const first = await converse(stateDir, 'title The first')
  const second = await converse(stateDir, 'echo x')
  expect(readdirSync(stateDir)).toHaveLength(2)
  await using agent = await startAgent({ env: { QUAYSIDE_DEMO_STATE_DIR: stateDir } })
  expect(await agent.request('session/list', {})).toMatchObject({
    sessions: [
      { sessionId: second.sessionId, title: null },
      { sessionId: first.sessionId, cwd: first.cwd, title: 'The first' },
    ],
  })
  const narrowed = await agent.request('session/list', { cwd: first.cwd })
  expect(narrowed).toMatchObject({ sessions: [{ sessionId: first.sessionId }] })
})

test('close cancels the turn and frees the session, which can be resumed', async () => {
  await using agent = await startAgent()
  const session = await agent.newSession()
  const turn = session.startPrompt('slow 600')
  expect(await agent.request('session/close', { sessionId: session.id })).toEqual({})
  expect(await turn).toEqual({ stopReason: 'cancelled' })
  await expect(session.startPrompt('echo x')).rejects.toMatchObject({ code: -32002 })
  const { sessionId, cwd } = { sessionId: session.id, cwd: session.cwd }
  const resumed = await reopen(agent, 'session/resume', { sessionId, cwd })
  expect((await resumed.session.prompt('recall')).text).toBe('I remember 1:\n1. slow 600')
})

test.each([
  ['none', {}, []],
  ['load', {}, ['load']],
  ['resume, list', { resume: {}, list: {} }, ['resume', 'list']],
  [
    'load,resume,list,close',
    { resume: {}, list: {}, close: {} },
    ['load', 'resume', 'list', 'close'],
  ],
])('QUAYSIDE_DEMO_CAPS=%s offers exactly that', async (caps, sessionCapabilities, offered) => {
  await using agent = await startAgent({ env: { QUAYSIDE_DEMO_CAPS: caps } })
  const { agentCapabilities } = agent.initialized
  expect(agentCapabilities?.loadSession).toBe(offered.includes('load'))
  expect(agentCapabilities?.sessionCapabilities).toEqual(sessionCapabilities)
  const { id: sessionId, cwd, ...session } = await agent.newSession()
  expect(session.opened.sessionId).toBe(sessionId)
  for (const name of ['load', 'resume', 'list', 'close']) {
    const params = name === 'list' ? {} : { sessionId, cwd, mcpServers: [] }
    const called = agent.request(`session/${name}`, params)
    if (offered.includes(name)) await called
    else await expect(called).rejects.toMatchObject({ code: -32601 })
  }
})
