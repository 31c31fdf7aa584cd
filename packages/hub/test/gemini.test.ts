// The real Gemini CLI behind a real hub, with a fake model. One session passes through the tests in order.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { EventOf, Message, MessageContent } from '@quayside/protocol'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { CAN_FIND_PROCESSES, GeminiHome } from './gemini-home.js'
import { ModelServer, toolResults } from './model-server.js'
import { startTestHub, type TestHub, type TestSession } from './test-hub.js'

const INSTALL_TIMEOUT_MS = 300_000
const README = '# Shop\n\nA small shop.\n'

let home: GeminiHome
let model: ModelServer
let hub: TestHub
let session: TestSession

beforeAll(async () => {
  home = new GeminiHome()
  model = await ModelServer.start()
  hub = await startTestHub()
  await home.enter(model.url)
  session = await hub.createSession('gemini')
}, INSTALL_TIMEOUT_MS)

afterAll(async () => {
  await hub[Symbol.asyncDispose]()
  await model[Symbol.asyncDispose]()
  home[Symbol.dispose]()
})

beforeEach(() => {
  model.reset()
  writeFileSync(readme(), README)
})

test('the real agent names itself and its modes', async () => {
  const { data } = await session.feed.until('agent.started')
  expect(data.agentInfo).toMatchObject({ name: 'gemini-cli', version: '0.61.0' })
  expect(data.modes).toMatchObject({ currentModeId: 'default' })
  expect(session.summary).toMatchObject({ status: 'active', extensionId: 'gemini' })
})

test('a thought and an answer arrive in pieces and are stored as two messages', async () => {
  model.next([{ thought: '**Greeting**\nA short one.' }, { text: 'Hello, ' }, { text: 'world.' }])
  const end = await session.run('Greet me.')

  expect(end.data.stopReason).toBe('end_turn')
  expect(await contentsOf(end.data.turnId)).toEqual([
    { type: 'text', text: 'Greet me.' },
    { type: 'thought', text: '**Greeting**\nA short one.', partial: false },
    { type: 'text', text: 'Hello, world.', partial: false },
  ])
  expect(model.requests[0]).toMatchObject({ model: 'gemini-2.5-flash' })
})

test('a file is read without a question, and the model gets what is in it', async () => {
  model.next([call('read_file', { file_path: readme() })], [{ text: 'A shop.' }])
  const end = await session.run('What is this?')

  const contents = await contentsOf(end.data.turnId)
  expect(contents.map(({ type }) => type)).toEqual(['text', 'tool', 'text'])
  expect(contents[1]).toMatchObject({ title: 'README.md', kind: 'read', status: 'completed' })
  expect(toolResults(model.requests[1]!)).toEqual([{ output: README }])
})

test('an edit that is allowed changes the file and its tool call is completed', async () => {
  model.next([edit('small', 'large')], [{ text: 'Edited.' }])
  const asked = await promptUntilAsked('Make it large.')
  expect(readFileSync(readme(), 'utf8')).toBe(README)

  const { turnId } = await answer(asked, 'allow_once')

  expect(readFileSync(readme(), 'utf8')).toBe('# Shop\n\nA large shop.\n')
  expect(await toolOf(turnId)).toMatchObject({
    kind: 'edit',
    status: 'completed',
    result: [{ type: 'diff', path: readme(), newText: '# Shop\n\nA large shop.\n' }],
  })
})

test('a rejected edit leaves the file unchanged, its tool call is rejected, and the model continues', async () => {
  model.next([edit('small', 'large')], [{ text: 'As you wish.' }])
  const asked = await promptUntilAsked('Make it large.')

  const { turnId, stopReason } = await answer(asked, 'reject_once')

  expect(stopReason).toBe('end_turn')
  expect(readFileSync(readme(), 'utf8')).toBe(README)
  expect(await toolOf(turnId)).toMatchObject({ kind: 'edit', status: 'rejected', partial: false })
  expect((await contentsOf(turnId)).at(-1)).toMatchObject({ text: 'As you wish.' })
})

test('the output of a command that was allowed reaches the transcript', async () => {
  const command = 'echo one two > made.txt; wc -c made.txt'
  model.next([call('run_shell_command', { command })], [{ text: 'Done.' }])
  const asked = await promptUntilAsked('Run it.')
  expect(asked.data.toolCall).toMatchObject({ title: command, kind: 'execute' })

  const { turnId } = await answer(asked, 'allow_once')

  expect(await toolOf(turnId)).toMatchObject({
    title: command,
    status: 'completed',
    result: [
      { type: 'content', content: { text: expect.stringContaining('8 made.txt') as string } },
    ],
  })
})

test('a cancel in the middle of an answer ends the turn and the next prompt works', async () => {
  const never = new Promise(() => {})
  model.next([{ text: 'One, ' }, { until: never }, { text: 'two.' }])
  const { turnId } = await session.prompt('Count.')
  await session.feed.until('acp.update', (data) => data.turnId === turnId)
  expect((await hub.post(`${session.path}/cancel`, {})).status).toBe(200)
  const end = await session.feed.until('turn.ended', (data) => data.turnId === turnId)

  expect(end.data.stopReason).toBe('cancelled')
  expect(await model.requests[0]!.closed).toBe('aborted')
  expect((await contentsOf(turnId)).at(-1)).toMatchObject({ text: 'One, ', partial: false })

  // The hub kills an agent that takes more than 5 s to cancel: then this would be refused.
  model.next([{ text: 'Still here.' }])
  const next = await session.run('Are you there?')
  expect(next.data.stopReason).toBe('end_turn')
  expect((await contentsOf(next.data.turnId)).at(-1)).toMatchObject({ text: 'Still here.' })
})

test('a cancel while a question is open ends the turn and the tool call', async () => {
  model.next([edit('small', 'large')])
  const asked = await promptUntilAsked('Make it large.')
  await hub.post(`${session.path}/cancel`, {})

  const { turnId, stopReason } = await endOf(asked)

  expect(stopReason).toBe('cancelled')
  expect(await toolOf(turnId)).toMatchObject({ status: 'cancelled' })
  expect(readFileSync(readme(), 'utf8')).toBe(README)
})

test('an error of the model API is the error of the turn', async () => {
  model.next({ status: 400, message: 'The prompt is too odd.' })
  const end = await session.run('Something odd.')

  expect(end.data.error).toMatchObject({ code: 'agent_failed', details: { acp: { code: 400 } } })
  expect(end.data.error!.message).toContain('The prompt is too odd.')
  expect((await session.summaryNow()).status).toBe('active')
})

test('a permission that is allowed for the session is not requested again', async () => {
  model.next([edit('small', 'large')], [edit('large', 'huge')], [{ text: 'Edited twice.' }])
  const asked = await promptUntilAsked('Make it huge.')

  const { turnId } = await answer(asked, 'allow_always')

  expect(readFileSync(readme(), 'utf8')).toBe('# Shop\n\nA huge shop.\n')
  const types = (await contentsOf(turnId)).map(({ type }) => type)
  expect(types.filter((type) => type === 'permission')).toHaveLength(1)
})

test.runIf(CAN_FIND_PROCESSES)('a deleted session takes its running command with it', async () => {
  const other = await hub.createSession('gemini')
  const command = 'touch begun; sleep 60'
  model.next([call('run_shell_command', { command })])
  const { turnId } = await other.prompt('Run it.')
  const asked = await other.feed.until('permission.requested', (data) => data.turnId === turnId)
  await other.answer(asked.data.permissionId, optionOf(asked, 'allow_once'))
  await expect
    .poll(() => [...home.processes().values()], { timeout: 10_000 })
    .toContain('sleep 60 ')

  expect((await hub.fetch(other.path, { method: 'DELETE' })).status).toBe(200)

  expect([...home.processes().values()].filter((line) => line.includes('sleep'))).toEqual([])
})

test('a deleted session ends in good order and leaves no process behind', async () => {
  const { pid } = (await session.feed.until('agent.started')).data
  // One process each, without a wrapper, which would ignore signals.
  const running = (): number[] => [...home.processes().keys()].toSorted((a, b) => a - b)
  const known = async (): Promise<number[]> => {
    const { processes } = await hub.get<{ processes: { pid: number }[] }>('/api/processes')
    return processes.map((process) => process.pid).toSorted((a, b) => a - b)
  }
  if (CAN_FIND_PROCESSES)
    await expect.poll(async () => isDeepStrictEqual(running(), await known())).toBe(true)
  expect(await known()).toContain(pid)

  const deleted = await hub.fetch(session.path, { method: 'DELETE' })

  expect(await deleted.json()).toMatchObject({ status: 'cancelled' })
  const exited = await session.feed.until('agent.exited')
  expect(exited.data).toMatchObject({ reason: 'stopped', exitCode: 0 })
  expect(() => process.kill(pid!, 0)).toThrow('ESRCH')
  if (CAN_FIND_PROCESSES) expect(running()).toEqual(await known())
})

function readme(): string {
  return join(hub.workspace, 'shop-api', 'README.md')
}

function call(name: string, args: Record<string, unknown>) {
  return { call: { name, args } }
}

function edit(from: string, to: string) {
  const args = { file_path: readme(), old_string: from, new_string: to }
  return call('replace', { ...args, instruction: 'Change the size.' })
}

async function promptUntilAsked(text: string): Promise<EventOf<'permission.requested'>> {
  const { turnId } = await session.prompt(text)
  return session.feed.until('permission.requested', (data) => data.turnId === turnId)
}

async function answer(asked: EventOf<'permission.requested'>, kind: string) {
  const answered = await session.answer(asked.data.permissionId, optionOf(asked, kind))
  expect(answered.status).toBe(200)
  return endOf(asked)
}

/** By the kind of the option, because Gemini's ids may change. */
function optionOf({ data }: EventOf<'permission.requested'>, kind: string): string {
  return data.options.find((option) => option.kind === kind)!.optionId
}

async function endOf({ data: { turnId } }: EventOf<'permission.requested'>) {
  return (await session.feed.until('turn.ended', (data) => data.turnId === turnId)).data
}

async function contentsOf(turnId: string): Promise<MessageContent[]> {
  const messages = await hub.get<Message[]>(`${session.path}/messages`)
  return messages.filter((message) => message.turnId === turnId).map(({ content }) => content)
}

async function toolOf(turnId: string): Promise<MessageContent | undefined> {
  return (await contentsOf(turnId)).find(({ type }) => type === 'tool')
}
