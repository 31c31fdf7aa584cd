// Memory: load, resume, list and close, within an agent and across agents.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ListSessionsResponse } from '@agentclientprotocol/sdk'
import { startChild } from './agent-child.ts'
import { kindsOf, startAgent, TestSession, textOf } from './agent-client.ts'
import type { AgentClient } from './agent-client.ts'

// Two agents that share only a folder.
const stateDir = mkdtempSync(join(tmpdir(), 'quayside-demo-'))
const env = { QUAYSIDE_DEMO_STATE_DIR: stateDir }
let earlier: AgentClient
let agent: AgentClient
beforeAll(async () => {
  ;[earlier, agent] = await Promise.all([startAgent({ env }), startAgent({ env })])
})
afterAll(async () => {
  await Promise.all([earlier, agent].map((client) => client[Symbol.asyncDispose]()))
  rmSync(stateDir, { recursive: true, force: true })
})

/** Has a short conversation with the other agent. */
async function converse(...prompts: string[]) {
  const session = await earlier.newSession()
  for (const prompt of prompts) await session.prompt(prompt)
  return { sessionId: session.id, cwd: session.cwd, mcpServers: [] }
}

async function reopen(method: string, params: { sessionId: string; cwd: string }, by = agent) {
  const from = by.messages.length
  const opened = (await by.request(method, params)) as object
  const response = by.messages.findIndex(({ result }) => result === opened)
  const replayed = by.updatesOf(params.sessionId, from, response)
  const { sessionId, cwd } = params
  return { opened, replayed, session: new TestSession(by, cwd, { sessionId, ...opened }) }
}

test('load replays the whole conversation before its response, in another agent', async () => {
  const params = await converse('echo hello', 'think hard now', 'tools', 'mode code')
  const { opened, replayed, session } = await reopen('session/load', params)
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
  const params = await converse('echo hello')
  const { replayed, session } = await reopen('session/resume', params)
  expect(replayed).toEqual([])
  expect((await session.prompt('recall')).text).toBe('I remember 1:\n1. echo hello')
})

test('a prompt survives the crash it caused', async () => {
  const { agent: crashing, ended } = await startChild({ env })
  const { id: sessionId, cwd, ...rest } = await crashing.newSession()
  expect(rest.opened.sessionId).toBe(sessionId)
  const prompt = [{ type: 'text', text: 'crash' }]
  crashing.request('session/prompt', { sessionId, prompt }).catch(() => {})
  expect((await ended()).code).toBe(7)
  const { session } = await reopen('session/resume', { sessionId, cwd })
  expect((await session.prompt('recall')).text).toBe('I remember 1:\n1. crash')
})

test('without a folder, a session can be loaded only in its own agent', async () => {
  await using forgetful = await startAgent()
  const session = await forgetful.newSession()
  await session.prompt('echo a')
  const { id: sessionId, cwd } = session
  const params = { sessionId, cwd, mcpServers: [] }
  const { replayed } = await reopen('session/load', params, forgetful)
  expect(kindsOf(replayed)).toEqual(['user_message_chunk', 'agent_message_chunk'])
  await expect(agent.request('session/load', params)).rejects.toMatchObject({
    code: -32002,
    data: { sessionId },
  })
})

test('a session id cannot name a file elsewhere, and a damaged file is no session', async () => {
  const { cwd, sessionId } = await converse('echo a')
  const file = join(stateDir, `${sessionId}.json`)
  mkdirSync(join(stateDir, 'elsewhere'))
  copyFileSync(file, join(stateDir, 'elsewhere', `${sessionId}.json`))
  const outside = { sessionId: `elsewhere/${sessionId}`, cwd, mcpServers: [] }
  await expect(agent.request('session/load', outside)).rejects.toMatchObject({ code: -32002 })
  writeFileSync(file, '{"sessionId":')
  const damaged = agent.request('session/load', { ...outside, sessionId })
  await expect(damaged).rejects.toMatchObject({ code: -32002 })
  rmSync(file)
})

test('list names the sessions, newest first, and can be narrowed to a folder', async () => {
  const first = await converse('title The first')
  // Long enough for another millisecond to begin.
  const second = await converse('slow 0.002')
  const { sessions } = (await agent.request('session/list', {})) as ListSessionsResponse
  expect(sessions.slice(0, 2)).toMatchObject([
    { sessionId: second.sessionId, title: null },
    { sessionId: first.sessionId, cwd: first.cwd, title: 'The first' },
  ])
  const narrowed = await agent.request('session/list', { cwd: first.cwd })
  expect(narrowed).toEqual({ sessions: [sessions[1]] })
})

test('close cancels the turn and frees the session, which can be resumed', async () => {
  const session = await agent.newSession()
  const turn = session.startPrompt('slow 600')
  expect(await agent.request('session/close', { sessionId: session.id })).toEqual({})
  expect(await turn).toEqual({ stopReason: 'cancelled' })
  await expect(session.startPrompt('echo x')).rejects.toMatchObject({ code: -32002 })
  const { sessionId, cwd } = { sessionId: session.id, cwd: session.cwd }
  const resumed = await reopen('session/resume', { sessionId, cwd })
  expect((await resumed.session.prompt('recall')).text).toBe('I remember 1:\n1. slow 600')
})
