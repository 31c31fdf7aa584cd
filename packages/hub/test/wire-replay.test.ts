// `quayside wire replay`: recordings of real agents, wire files and downloads of the hub, and oddities with their lines.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  foldEvents,
  inReadingOrder,
  transcriptEntry,
  type TranscriptEntry,
} from '@quayside/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readRecording } from '../../protocol/test/recording.js'
import { readWireFile } from '../src/commands/wire/recorded-frames.js'
import { WireReplay } from '../src/commands/wire/replay.js'
import { quayside } from './command-run.js'
import { startTestHub } from './test-hub.js'

const RECORDINGS = fileURLToPath(new URL('../../protocol/recordings', import.meta.url))
const names = readdirSync(RECORDINGS).map((file) => file.replace('.jsonl', ''))

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'quayside-replay-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function replay(path: string): Promise<WireReplay> {
  const replayed = new WireReplay(() => ({}))
  for await (const frame of readWireFile(path)) replayed.take(frame)
  replayed.finish()
  return replayed
}

async function run(...args: string[]): Promise<{ code: number | null; output: string }> {
  return quayside(['wire', 'replay', ...args], { QUAYSIDE_DATA_DIR: join(folder, 'data') })
}

function write(...lines: readonly unknown[]): string {
  const path = join(folder, 'some.jsonl')
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  writeFileSync(path, `${texts.join('\n')}\n`)
  return path
}

const undated = (entries: readonly TranscriptEntry[]) =>
  entries.map((entry) => ({ ...entry, timestamp: '' }))
const update = (sessionId: string, fields: object) => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: { sessionId, update: fields },
})
const say = (sessionId: string, text: string) =>
  update(sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })

test.each(names.filter((name) => !name.endsWith('-load')))(
  '%s: what is printed is what the reducer makes of it',
  async (name) => {
    const replayed = await replay(join(RECORDINGS, `${name}.jsonl`))
    const [first] = replayed.sessions.values()
    const items = inReadingOrder(foldEvents(readRecording(name)).items)
    expect(undated(first!.entries())).toEqual(undated(items.map((item) => transcriptEntry(item))))
    expect(replayed.oddities).toEqual([])
    expect(replayed.sessions.size).toBe(name.endsWith('-two') ? 2 : 1)
  },
)

test('the replay of a loaded session is printed once, with the quirks of the agent that the recording names', async () => {
  const file = join(RECORDINGS, 'gemini-load.jsonl')
  const { code, output } = await run(file, '--json')
  expect(code).toBe(0)
  expect(JSON.parse(output)).toMatchObject({
    sessions: [{ turns: 2, entries: { user: 2, assistant: 3, command: 2, status: 2 } }],
    oddities: [],
  })
})

test('a session of our own is the same from its wire file and from its download', async () => {
  await using hub = await startTestHub({ env: { QUAYSIDE_WIRE_LOG: '1' } })
  const session = await hub.createSession()
  for (const text of ['think first', 'tools', 'plan', 'echo last']) await session.run(text)
  const live = await (await hub.fetch(`${session.path}/transcript`)).text()
  const download = join(folder, 'download.jsonl')
  const response = await hub.fetch(`${session.path}/wire?format=jsonl&limit=10000`)
  writeFileSync(download, await response.text())
  const [file] = readdirSync(join(hub.folder, 'data', 'wire'))
  for (const path of [download, join(hub.folder, 'data', 'wire', file!)]) {
    const { code, output } = await run(path, '--format', 'jsonl')
    expect(code).toBe(0)
    expect(entriesOf(output)).toEqual(entriesOf(live))
  }
})

/** Without the user and the duration, which only the hub knows. */
function entriesOf(text: string): unknown[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return []
    const { timestamp: _, session: __, by: ___, duration_ms: ____, ...entry } = JSON.parse(line)
    return [entry as unknown]
  })
}

test('bare JSON-RPC lines are enough, several sessions are kept apart, and escapes are shown', async () => {
  const ask = (id: number, sessionId: string, text: string) => ({
    id,
    method: 'session/prompt',
    params: { sessionId, prompt: [{ type: 'text', text }] },
  })
  const file = write(
    { id: 0, method: 'session/new', params: { cwd: '/' } },
    { id: 0, result: { sessionId: 'a' } },
    { id: 1, method: 'session/new', params: { cwd: '/' } },
    { id: 1, result: { sessionId: 'b' } },
    ask(2, 'a', 'to a'),
    ask(3, 'b', 'to b'),
    say('b', 'from b'),
    say('a', 'from a \u001B[2J\u202E'),
    { id: 3, result: { stopReason: 'end_turn' } },
    { id: 2, result: { stopReason: 'end_turn' } },
  )
  const { code, output } = await run(file)
  expect(code).toBe(0)
  expect(output.match(/^(?:# |to|from).*$/gm)).toEqual([
    '# to a',
    'to a',
    String.raw`from a \u202e`,
    '# to b',
    'to b',
    'from b',
  ])
  expect(output).not.toContain('\u001B')
})

test('everything odd is named with its line', async () => {
  const file = write(
    'Loading model…',
    { id: 0, method: 'session/new', params: {} },
    { id: 0, result: { sessionId: 'a' } },
    { id: 7, result: {} },
    say('nobody', 'lost'),
    { id: 1, method: 'session/prompt', params: { sessionId: 'a', prompt: [] } },
    update('a', { sessionUpdate: 'dance' }),
    update('a', { sessionUpdate: 'tool_call_update', toolCallId: 'x', status: 'completed' }),
    update('a', { sessionUpdate: 'tool_call_update', toolCallId: 'x', status: 'pending' }),
    { id: 2, method: 'session/prompt', params: { sessionId: 'a', prompt: [] } },
    { id: 2, error: { code: -32600, message: 'busy' } },
    say('a', 'in time'),
    { id: 1, result: { stopReason: 'end_turn' } },
    say('a', 'too late'),
    { at: 1, dropped: 12 },
    update('a', { sessionUpdate: 7 }),
    { id: 9, method: 'session/list', params: {} },
    '{"id":3,"method":"session/cl',
  )
  const { oddities } = await replay(file)
  expect(oddities.map(({ line, kind }) => `${line} ${kind}`)).toEqual([
    '1 junk',
    '4 unexpected_response',
    '5 unknown_session',
    '7 unknown_update',
    '8 tool_out_of_order',
    '9 tool_out_of_order',
    '10 second_prompt',
    '14 text_after_turn',
    '15 dropped',
    '16 unreadable_update',
    '17 unanswered',
    '18 junk',
  ])
  const { code, output } = await run(file)
  expect(code).toBe(0)
  expect(output).toContain(`${file}:7: the update dance cannot be read\n`)
})

test('a prompt that is refused or queued by a busy agent leaves the text to the running one', async () => {
  const prompt = (id: number) => ({
    id,
    method: 'session/prompt',
    params: { sessionId: 'a', prompt: [{ type: 'text', text: `prompt ${id}` }] },
  })
  const file = write(
    { id: 0, method: 'session/new', params: {} },
    { id: 0, result: { sessionId: 'a' } },
    prompt(1),
    prompt(2),
    { id: 2, error: { code: -32600, message: 'another turn is already in progress' } },
    prompt(3),
    say('a', 'of the first'),
    { id: 1, result: { stopReason: 'end_turn' } },
    say('a', 'of the third'),
    { id: 3, result: { stopReason: 'end_turn' } },
  )
  const { sessions, oddities } = await replay(file)
  expect(oddities.map(({ kind }) => kind)).toEqual(['second_prompt', 'second_prompt'])
  const { items } = sessions.get('a')!.transcript
  const texts = items.flatMap((item) => (item.type === 'text' ? [[item.turnId, item.text]] : []))
  expect(texts).toEqual([
    ['t1', 'of the first'],
    ['t3', 'of the third'],
  ])
})

test('a recorded frame that is no message is shown as it was', async () => {
  const { oddities } = await replay(
    write(
      { dir: 'a2c', msg: { jsonrpc: '2.0', id: 5 } },
      { dir: 'a2c', msg: 'Loading' },
      { at: 1, direction: 'in', process: 'x-1', frame: { hello: 'hub' } },
    ),
  )
  expect(oddities.map(({ message }) => message)).toEqual([
    'neither request, notification nor response: {"jsonrpc":"2.0","id":5}',
    'not an object: Loading',
    'neither request, notification nor response: {"hello":"hub"}',
  ])
})

test('updates are recorded as in a live session: images, long texts, and late updates of a tool call', async () => {
  const prompt = (id: number) => ({
    id,
    method: 'session/prompt',
    params: { sessionId: 'a', prompt: [{ type: 'text', text: `prompt ${id}` }] },
  })
  const image = `data:image/png;base64,${Buffer.from('pixels of an image').toString('base64')}`
  const output = [{ type: 'content', content: { type: 'text', text: 'x'.repeat(300_000) } }]
  const call = { toolCallId: 'x', kind: 'read', title: 'Read' }
  const file = write(
    { id: 0, method: 'session/new', params: {} },
    { id: 0, result: { sessionId: 'a' } },
    prompt(1),
    say('a', `Look: ![](${image.slice(0, 30)}`),
    say('a', `${image.slice(30)})`),
    update('a', { sessionUpdate: 'tool_call', ...call, status: 'in_progress' }),
    { id: 1, result: { stopReason: 'end_turn' } },
    prompt(2),
    update('a', {
      sessionUpdate: 'tool_call_update',
      ...call,
      status: 'completed',
      content: output,
    }),
    say('a', 'held back: data:image'),
  )
  const { sessions, oddities } = await replay(file)
  const entries = sessions.get('a')!.entries()
  expect(entries.map(({ role }) => role).join(' ')).toBe(
    'user assistant command status user assistant',
  )
  expect(entries[1]).toMatchObject({ text: `Look: ![](${image})` })
  expect(entries[2]).toMatchObject({
    status: 'completed',
    output: expect.stringMatching(/^\[… cut here; all 300000 bytes: in the wire file\]\nx{65536}$/),
  })
  expect(entries[5]).toMatchObject({ text: 'held back: data:image' })
  expect(oddities.map(({ kind }) => kind)).toEqual(['unanswered'])
})

test('a load that failed hides nothing, and names that agents make up are only counted', async () => {
  const prompt = { sessionId: 'a', prompt: [{ type: 'text', text: 'go' }] }
  const file = write(
    { id: 0, method: 'session/new', params: {} },
    { id: 0, result: { sessionId: 'a' } },
    { id: 1, method: 'session/prompt', params: prompt },
    { id: 1, result: { stopReason: 'end_turn' } },
    { id: 2, method: 'session/load', params: { sessionId: 'a' } },
    { id: 2, error: { code: -32603, message: 'no' } },
    say('a', 'still heard'),
    ...Array.from({ length: 1_200 }, () => update('a', { sessionUpdate: 'constructor' })),
  )
  const { output } = await run(file)
  expect(output).toContain('still heard')
  expect(output).toContain('201 more oddities')
  expect(JSON.parse((await run(file, '--json')).output)).toMatchObject({
    updates: { constructor: 1_200, agent_message_chunk: 1 },
    oddityCounts: { unknown_update: 1_200, text_after_turn: 1 },
  })
})

test('a file that cannot be replayed is one line and exit code 1', async () => {
  const missing = join(folder, 'missing.jsonl')
  expect(await run(missing)).toMatchObject({
    code: 1,
    output: expect.stringContaining(`${missing} cannot be read`) as string,
  })
  const text = write('just some', 'text')
  expect(await run(text)).toEqual({
    code: 1,
    output: `quayside: ${text}:1: no wire traffic (not JSON: just some)\n`,
  })
  expect((await run(write(''))).output).toMatch(/has no frames\.\n$/)
  const recording = join(RECORDINGS, 'gemini-think.jsonl')
  expect((await run(recording, '--agent', 'nobody')).code).toBe(5)
})
