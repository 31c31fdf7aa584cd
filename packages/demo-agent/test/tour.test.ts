// The tour, which answers every prompt without a word.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { kindsOf, selected, startAgent, textOf } from './agent-client.ts'
import type { AgentClient } from './agent-client.ts'

let agent: AgentClient
beforeAll(async () => {
  agent = await startAgent()
})
afterAll(() => agent[Symbol.asyncDispose]())

function newRepo(): string {
  const folder = agent.newFolder()
  execFileSync('git', ['init', '--quiet', '--initial-branch', 'main', folder])
  writeFileSync(join(folder, 'README.md'), '# The project\n\nIt does things.\n')
  return folder
}

test('the tour reads, writes when allowed, runs git, and explains', async () => {
  const session = await agent.newSession(newRepo())
  const file = join(session.cwd, 'quayside-demo.md')
  const turn = session.prompt('Hello, what can you do?')
  const permission = await session.untilRequest('session/request_permission')
  expect(permission.params).toMatchObject({
    toolCall: { kind: 'edit', content: [{ type: 'diff', path: file, oldText: null }] },
  })
  expect(existsSync(file)).toBe(false)
  permission.answer(selected('allow_once'))
  const { response, updates, text } = await turn

  expect(response).toEqual({ stopReason: 'end_turn' })
  expect(readFileSync(file, 'utf8')).toContain('# Hello from Quayside')
  expect(textOf(updates, 'agent_thought_chunk')).toContain('show, not tell')
  const content = [
    { type: 'content', content: { type: 'text', text: '# The project\n\nIt does things.\n' } },
  ]
  expect(updates).toContainEqual(expect.objectContaining({ status: 'completed', content }))
  const output = '## No commits yet on main\n?? README.md\n?? quayside-demo.md\n'
  expect(updates).toContainEqual(
    expect.objectContaining({
      status: 'completed',
      rawOutput: { exitCode: 0, signal: null, output },
    }),
  )
  expect(updates.at(-1)).toMatchObject({
    sessionUpdate: 'plan',
    entries: Array.from({ length: 4 }, () => ({ status: 'completed' })),
  })
  expect(text).toContain('I read `README.md` (3 lines).')
  expect(text).toContain('Thank you! `quayside-demo.md` is there now')
  expect(text).toContain('|---|---|')
  expect(text).toContain('```sh\ncurl ')
  expect(kindsOf(updates).filter((kind) => kind === 'agent_message_chunk').length).toBeGreaterThan(
    40,
  )
})

test('the tour goes on politely when the edit is rejected', async () => {
  const session = await agent.newSession(newRepo())
  const turn = session.prompt('Hi')
  ;(await session.untilRequest('session/request_permission')).answer(selected('reject_once'))
  const { response, text } = await turn
  expect(text).toContain('You said no, so I did not write `quayside-demo.md`.')
  expect(text).toContain('The command exited with code 0.')
  expect(response.stopReason).toBe('end_turn')
  expect(existsSync(join(session.cwd, 'quayside-demo.md'))).toBe(false)
})

test('the tour goes on politely when nobody answers', async () => {
  const session = await agent.newSession(newRepo())
  const turn = session.prompt('Hi')
  const permission = await session.untilRequest('session/request_permission')
  permission.answer({ outcome: { outcome: 'cancelled' } })
  const { response, text } = await turn
  expect(text).toContain('Nobody answered, so I did not write')
  expect(response.stopReason).toBe('end_turn')
})

test('the tour works in an empty folder that is no repository', async () => {
  const session = await agent.newSession()
  const turn = session.prompt('Hi')
  ;(await session.untilRequest('session/request_permission')).answer(selected('allow_once'))
  const { response, text } = await turn
  expect(text).toContain('There is no file here that I could read')
  expect(text).toContain('The command exited with code 128.')
  expect(response.stopReason).toBe('end_turn')
})

test("the tour uses the client's files and terminal when they are offered", async () => {
  const capabilities = { fs: { readTextFile: true, writeTextFile: true }, terminal: true }
  await using served = await startAgent({ capabilities })
  const session = await served.newSession(newRepo())
  const turn = session.prompt('Hi')
  const reading = await session.untilRequest('fs/read_text_file')
  expect(reading.params['path']).toBe(join(session.cwd, 'README.md'))
  reading.answer({ content: 'one\ntwo' })
  const looking = await session.untilRequest('fs/read_text_file')
  expect(looking.params['path']).toBe(join(session.cwd, 'quayside-demo.md'))
  looking.fail({ code: -32002, message: 'Resource not found' })
  ;(await session.untilRequest('session/request_permission')).answer(selected('allow_once'))
  ;(await session.untilRequest('fs/write_text_file')).answer({})
  ;(await session.untilRequest('terminal/create')).answer({ terminalId: 't' })
  ;(await session.untilRequest('terminal/wait_for_exit')).answer({ exitCode: 0 })
  ;(await session.untilRequest('terminal/output')).answer({ output: '## main', truncated: false })
  ;(await session.untilRequest('terminal/release')).answer({})
  expect((await turn).text).toContain('I read `README.md` (2 lines).')
})

test('the pauses of the tour are visible, and shorter than four seconds in all', async () => {
  let pausesMs = 0
  const sleep = async (ms: number) => void (pausesMs += ms)
  await using paced = await startAgent({ env: { QUAYSIDE_DEMO_PACE: '1' }, sleep })
  const session = await paced.newSession(newRepo())
  const turn = session.prompt('Hi')
  ;(await session.untilRequest('session/request_permission')).answer(selected('allow_once'))
  await turn
  expect(pausesMs).toBeGreaterThan(1_000)
  expect(pausesMs).toBeLessThan(4_000)
})
