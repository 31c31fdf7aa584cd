// Words that plan and use tools, with and without the client's files and terminals.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { kindsOf, selected, startAgent } from './agent-client.ts'
import type { AgentClient } from './agent-client.ts'

let agent: AgentClient
/** The same, with a client that offers files and terminals. */
let served: AgentClient
beforeAll(async () => {
  const capabilities = { fs: { readTextFile: true, writeTextFile: true }, terminal: true }
  ;[agent, served] = await Promise.all([startAgent(), startAgent({ capabilities })])
})
afterAll(() => Promise.all([agent, served].map((child) => child[Symbol.asyncDispose]())))

test('plan completes its entries one by one', async () => {
  const session = await agent.newSession()
  const { updates, text } = await session.prompt('plan')
  const plans = updates.flatMap((update) =>
    update.sessionUpdate === 'plan' ? [update.entries] : [],
  )
  expect(plans.map((entries) => entries.map(({ status }) => status).join(' '))).toEqual([
    'in_progress pending pending',
    'completed in_progress pending',
    'completed completed in_progress',
    'completed completed completed',
  ])
  expect(text).toBe('The plan is done.')
})

test('work reads, changes one line and adds two when allowed, and checks the result', async () => {
  const session = await agent.newSession()
  const path = join(session.cwd, 'a.txt')
  writeFileSync(path, 'one\ntwo\n')
  const turn = session.prompt('work a.txt')
  ;(await session.untilRequest('session/request_permission')).answer(selected('allow_once'))
  const { updates, text } = await turn
  expect(readFileSync(path, 'utf8')).toBe(
    'one (changed)\nA line of the demo agent.\nAnd another one.\ntwo\n',
  )
  expect(text).toBe(`Changed ${path}. The check exited with code 0.`)
  const calls = updates.filter(({ sessionUpdate }) => sessionUpdate === 'tool_call')
  expect(calls.map((call) => ('kind' in call ? call.kind : ''))).toEqual([
    'read',
    'edit',
    'read',
    'execute',
  ])
})

test('tools interleaves two calls, updates one before it exists, and lets one fail', async () => {
  const session = await agent.newSession()
  const { updates } = await session.prompt('tools')
  const calls = updates.flatMap((update) =>
    update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update'
      ? [`${update.sessionUpdate} ${update.toolCallId} ${update.status ?? '-'}`]
      : [],
  )
  expect(calls).toEqual([
    'tool_call call-1-1 in_progress',
    'tool_call call-1-2 pending',
    'tool_call_update call-1-2 in_progress',
    'tool_call_update call-1-1 -',
    'tool_call_update call-1-2 completed',
    'tool_call_update call-1-1 completed',
    'tool_call_update call-1-3 in_progress',
    'tool_call call-1-3 in_progress',
    'tool_call_update call-1-3 completed',
    'tool_call call-1-4 in_progress',
    'tool_call_update call-1-4 failed',
  ])
})

test('read reads the file itself when the client offers no files', async () => {
  const session = await agent.newSession()
  writeFileSync(join(session.cwd, 'a.txt'), 'some text\n')
  const { updates, text } = await session.prompt('read a.txt')
  const path = join(session.cwd, 'a.txt')
  expect(updates).toContainEqual(
    expect.objectContaining({ title: 'Read a.txt', kind: 'read', locations: [{ path, line: 1 }] }),
  )
  expect(updates).toContainEqual(
    expect.objectContaining({
      status: 'completed',
      content: [{ type: 'content', content: { type: 'text', text: 'some text\n' } }],
    }),
  )
  expect(text).toBe(`Read ${path}: 10 characters.\n\n\`\`\`\nsome text\n\`\`\``)
})

test('read asks the client for the file when it offers files', async () => {
  const session = await served.newSession()
  const turn = session.prompt('read unsaved.txt')
  const request = await session.untilRequest('fs/read_text_file')
  expect(request.params).toEqual({ sessionId: session.id, path: join(session.cwd, 'unsaved.txt') })
  request.answer({ content: 'from the editor' })
  expect((await turn).text).toContain('from the editor')
})

test('read says why a file cannot be read', async () => {
  const session = await agent.newSession()
  const { response, updates, text } = await session.prompt('read missing.txt')
  expect(updates).toContainEqual(expect.objectContaining({ status: 'failed' }))
  expect(text).toContain('Could not read')
  expect(text).toContain('ENOENT')
  expect(response.stopReason).toBe('end_turn')
})

test('edit shows a diff, asks, and writes the file when allowed', async () => {
  const session = await agent.newSession()
  const path = join(session.cwd, 'notes.txt')
  writeFileSync(path, 'first\n')
  const turn = session.prompt('edit notes.txt')
  const permission = await session.untilRequest('session/request_permission')
  const newText = 'first\nEdited by the Quayside demo agent.\n'
  expect(permission.params).toMatchObject({
    sessionId: session.id,
    toolCall: { kind: 'edit', content: [{ type: 'diff', path, oldText: 'first\n', newText }] },
    options: [{ kind: 'allow_once' }, { kind: 'allow_always' }, { kind: 'reject_once' }],
  })
  expect(readFileSync(path, 'utf8')).toBe('first\n')
  permission.answer(selected('allow_once'))
  expect((await turn).text).toBe(`Wrote ${path}.`)
  expect(readFileSync(path, 'utf8')).toBe(newText)
})

test('edit writes nothing when rejected', async () => {
  const session = await agent.newSession()
  const turn = session.prompt('edit new.txt')
  const permission = await session.untilRequest('session/request_permission')
  permission.answer(selected('reject_once'))
  const { text, updates } = await turn
  expect(text).toBe(`Did not write ${join(session.cwd, 'new.txt')}: rejected.`)
  expect(updates).toContainEqual(expect.objectContaining({ status: 'failed' }))
  expect(existsSync(join(session.cwd, 'new.txt'))).toBe(false)
})

test('edit writes through the client when it offers that', async () => {
  const session = await served.newSession()
  const turn = session.prompt('edit new.txt')
  const reading = await session.untilRequest('fs/read_text_file')
  reading.fail({ code: -32002, message: 'Resource not found' })
  const permission = await session.untilRequest('session/request_permission')
  expect(permission.params).toMatchObject({ toolCall: { content: [{ oldText: null }] } })
  permission.answer(selected('allow_once'))
  const writing = await session.untilRequest('fs/write_text_file')
  expect(writing.params).toEqual({
    sessionId: session.id,
    path: join(session.cwd, 'new.txt'),
    content: 'Edited by the Quayside demo agent.\n',
  })
  writing.answer({})
  expect((await turn).text).toContain('Wrote ')
})

test('a file the client refuses to read is not overwritten', async () => {
  const session = await served.newSession()
  writeFileSync(join(session.cwd, 'secret.txt'), 'keep me')
  const turn = session.prompt('edit secret.txt')
  const reading = await session.untilRequest('fs/read_text_file')
  reading.fail({ code: -32603, message: 'too large' })
  expect((await turn).text).toContain('too large')
  expect(readFileSync(join(session.cwd, 'secret.txt'), 'utf8')).toBe('keep me')
})

test('run runs a child of its own when the client offers no terminal', async () => {
  const session = await agent.newSession()
  const script = 'console.log(process.cwd()); console.error("oops"); process.exit(3)'
  const turn = session.prompt(`run "${process.execPath}" -e '${script}'`)
  const permission = await session.untilRequest('session/request_permission')
  expect(permission.params).toMatchObject({
    toolCall: { kind: 'execute', rawInput: { command: process.execPath, args: ['-e', script] } },
  })
  permission.answer(selected('allow_once'))
  const { updates, text } = await turn
  expect(text).toContain('exited with code 3')
  expect(text).toContain(session.cwd)
  expect(text).toContain('oops')
  expect(updates).toContainEqual(
    expect.objectContaining({
      status: 'failed',
      rawOutput: expect.objectContaining({ exitCode: 3 }),
    }),
  )
})

test("run uses the client's terminal when it is offered, and releases it", async () => {
  const session = await served.newSession()
  const turn = session.prompt('run ls -l')
  ;(await session.untilRequest('session/request_permission')).answer(selected('allow_once'))
  const creating = await session.untilRequest('terminal/create')
  expect(creating.params).toMatchObject({ command: 'ls', args: ['-l'], cwd: session.cwd })
  creating.answer({ terminalId: 'term-1' })
  ;(await session.untilRequest('terminal/wait_for_exit')).answer({ exitCode: 0 })
  ;(await session.untilRequest('terminal/output')).answer({ output: 'total 0\n', truncated: false })
  const release = await session.untilRequest('terminal/release')
  expect(release.params).toEqual({ sessionId: session.id, terminalId: 'term-1' })
  release.answer({})
  const { updates, text } = await turn
  expect(text).toBe('`ls` exited with code 0.\n\n```\ntotal 0\n```')
  expect(updates).toContainEqual(
    expect.objectContaining({ content: [{ type: 'terminal', terminalId: 'term-1' }] }),
  )
})

test('run does nothing when rejected, and says why a command cannot start', async () => {
  const session = await agent.newSession()
  const rejected = session.prompt('run touch x')
  ;(await session.untilRequest('session/request_permission')).answer(selected('reject_once'))
  expect((await rejected).text).toBe('Did not run touch: rejected.')
  expect(existsSync(join(session.cwd, 'x'))).toBe(false)

  const failing = session.prompt('run no-such-command-here')
  ;(await session.untilRequest('session/request_permission')).answer(selected('allow_once'))
  expect((await failing).text).toContain('ENOENT')
})

test('a kind that was always allowed is not asked about again', async () => {
  const session = await agent.newSession()
  const first = session.prompt('edit a.txt')
  ;(await session.untilRequest('session/request_permission')).answer(selected('allow_always'))
  await first
  const second = await session.prompt('edit b.txt')
  expect(second.text).toBe(`Wrote ${join(session.cwd, 'b.txt')}.`)
  expect(kindsOf(second.updates)).toContain('tool_call')
  const asked = agent.messages.filter(
    ({ method, params }) =>
      method === 'session/request_permission' && params?.['sessionId'] === session.id,
  )
  expect(asked).toHaveLength(1)
})
