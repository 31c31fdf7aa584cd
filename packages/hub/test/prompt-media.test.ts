// Large prompts are small in the log, and the agent gets exactly what was sent, also after a restart.
// Content that it does not accept is refused.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ContentBlock, Extension, SessionEvent, Timeline } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mediaPath } from '../src/store/data-files.js'
import { EXTENSIONS, startTestHub, type TestHub, type TestSession } from './test-hub.js'

const LONG = `digest ${'a line of a long log\n'.repeat(15_000)}`
const BLOB = Buffer.alloc(150_000, 'bytes of a file ').toString('base64')
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const PROMPTS: Readonly<Record<string, readonly ContentBlock[]>> = {
  'a text of 300,000 characters': [{ type: 'text', text: LONG }],
  'an embedded file': [
    { type: 'text', text: 'digest' },
    { type: 'resource', resource: { uri: 'file:///a.bin', mimeType: 'image/x-raw', blob: BLOB } },
    { type: 'resource', resource: { uri: 'file:///a.log', text: LONG } },
  ],
  'a picture with what was said of it': [
    { type: 'text', text: 'digest', annotations: { audience: ['assistant'] } },
    { type: 'image', mimeType: 'image/png', data: PIXEL, uri: 'file:///a.png', _meta: { n: 1 } },
    { type: 'audio', mimeType: 'audio/wav', data: 'bm90ICByZWFsbHk=' },
  ],
  'what is no base64': [
    { type: 'text', text: 'digest' },
    { type: 'resource', resource: { uri: 'file:///odd', blob: 'this is (not) base64!' } },
  ],
  'many blocks that are heavy together': [
    { type: 'text', text: 'digest' },
    ...Array.from({ length: 4 }, () => ({ type: 'text', text: 'x'.repeat(250_000) }) as const),
  ],
  'a reference that the hub would write': [
    { type: 'text', text: 'digest', _meta: { quayside: { prompt: '/media/nothing' } } },
  ],
}

let hub: TestHub
let session: TestSession
beforeAll(async () => {
  hub = await startTestHub({ env: { AGENT_MAX_SESSIONS: '20', QUAYSIDE_EXTENSIONS: EXTENSIONS } })
  session = await hub.createSession('all-inputs')
})
afterAll(() => hub[Symbol.asyncDispose]())

async function send(prompt: readonly ContentBlock[]): Promise<string> {
  const response = await hub.post(`${session.path}/prompt`, { prompt })
  expect(response.status).toBe(202)
  return ((await response.json()) as { turnId: string }).turnId
}

/** The text of the agent in a turn. */
function answerOf(events: readonly SessionEvent[], turnId: string): string {
  return events
    .flatMap((event) => (event.type === 'acp.update' && event.data.turnId === turnId ? event : []))
    .map(({ data }) => (data.update['content'] as { text?: string } | undefined)?.text ?? '')
    .join('')
}

/** Of the same JSON as the demo agent hashes. */
function digestOf(prompt: readonly ContentBlock[]): string {
  const sorted = (_key: string, value: unknown): unknown =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return createHash('sha256').update(JSON.stringify(prompt, sorted)).digest('hex')
}

test.for(Object.entries(PROMPTS))('the agent gets exactly %s', async ([, prompt]) => {
  const turnId = await send(prompt)
  await session.feed.until('turn.ended', (data) => data.turnId === turnId)
  expect(answerOf(session.feed.events, turnId)).toBe(digestOf(prompt))
  const queued = await session.feed.until('turn.queued', (data) => data.turnId === turnId)
  expect(JSON.stringify(queued).length).toBeLessThan(600 * 1024)
})

test('a heavy prompt that waited through a restart of the hub is whole', async () => {
  const prompt = [...PROMPTS['an embedded file']!, { type: 'text', text: LONG } as const]
  await session.prompt('ask')
  await session.feed.until('permission.requested')
  const turnId = await send(prompt)
  const { pid } = (await session.feed.until('agent.started')).data
  process.kill(pid!, 'SIGKILL')
  await session.feed.until('session.ended')
  await hub.hub.stop()

  const { folder } = hub
  hub = await startTestHub({
    folder,
    env: { AGENT_MAX_SESSIONS: '20', QUAYSIDE_EXTENSIONS: EXTENSIONS },
  })
  const feed = await hub.follow(session.id)
  expect((await hub.post(`${session.path}/resume`, {})).status).toBe(200)
  await feed.until('turn.ended', (data) => data.turnId === turnId)
  expect(answerOf(feed.events, turnId)).toBe(digestOf(prompt))
})

test.each([{ uri: '/media/nothing' }, { uri: 'https://example.com/a.png' }, { data: '' }, {}])(
  'a picture without its bytes (%j) is refused, and nothing waits',
  async (picture) => {
    const prompt = [{ type: 'image', mimeType: 'image/png', ...picture }]
    const refused = await hub.post(`${session.path}/prompt`, { prompt })
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({ error: { code: 'file_unreadable' } })
    expect(await hub.get(`${session.path}/queue`)).toEqual({ queue: [] })
  },
)

test.each([
  [{ type: 'image', mimeType: 'text/html', data: PIXEL }, 'begins with image/'],
  [{ type: 'image', mimeType: 'image/png', data: '<b>not base64</b>' }, 'not base64'],
  [{ type: 'audio', mimeType: 'audio/wav', data: 'x' }, 'not base64'],
])('a block that is not what it says (%j) is refused', async (block, words) => {
  const refused = await hub.post(`${session.path}/prompt`, { prompt: [block] })
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({
    error: { code: 'bad_request', message: expect.stringContaining(words) as string },
  })
})

test('media of the hub that is no picture cannot be sent as one', async () => {
  await send(PROMPTS['an embedded file']!)
  const { data } = await session.feed.until('turn.queued', ({ prompt }) => prompt.length === 3)
  const uri = (data.prompt[0]!['_meta']!['quayside'] as { prompt: string }).prompt
  const prompt = [{ type: 'image', mimeType: 'image/png', uri }]
  const refused = await hub.post(`${session.path}/prompt`, { prompt })
  expect(await refused.json()).toMatchObject({ error: { code: 'file_unreadable' } })
})

const TEXT = { type: 'text', text: 'echo hi' } as const
const LINK = { type: 'resource_link', uri: 'file:///a.txt', name: 'a.txt' } as const
const PICTURE = { type: 'image', mimeType: 'image/png', data: PIXEL } as const
const SOUND = { type: 'audio', mimeType: 'audio/wav', data: 'bm90ICByZWFsbHk=' } as const
const FILE = { type: 'resource', resource: { uri: 'file:///a.txt', text: 'hi' } } as const

test.each([
  ['text-only', PICTURE, 'accepts no images'],
  ['text-only', FILE, 'accepts no embedded files'],
  ['demo', SOUND, 'accepts no audio'],
] as const)('%s: content that it does not declare is refused before the turn', async (...args) => {
  const [extensionId, block, words] = args
  const { path, feed } = await hub.createSession(extensionId)
  const refused = await hub.post(`${path}/prompt`, { prompt: [TEXT, block] })
  expect(refused.status).toBe(422)
  expect(await refused.json()).toMatchObject({
    error: {
      code: 'content_not_supported',
      message: expect.stringContaining(words) as string,
      details: { types: [block.type] },
    },
  })
  expect((await hub.post(`${path}/prompt`, { prompt: [TEXT, LINK] })).status).toBe(202)
  await feed.until('turn.ended')
  expect(feed.events.filter(({ type }) => type === 'turn.queued')).toHaveLength(1)
})

test('a queued prompt cannot be changed to content that the agent does not accept', async () => {
  const { path, feed } = await hub.createSession('text-only')
  await hub.post(`${path}/prompt`, { text: 'slow 60' })
  await feed.until('turn.started')
  await hub.post(`${path}/prompt`, { text: 'echo next', id: 'next' })
  const edited = await hub.fetch(`${path}/queue/next`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: [TEXT, PICTURE] }),
  })
  expect(edited.status).toBe(422)
  expect(await hub.get(`${path}/queue`)).toMatchObject({
    queue: [{ prompt: [{ text: 'echo next' }] }],
  })
})

test('an agent that starts with the prompt does not get what it refuses, and the turn says why', async () => {
  const { path, feed } = await hub.createSession('lazy-text-only')
  expect((await hub.post(`${path}/prompt`, { prompt: [TEXT, PICTURE] })).status).toBe(202)
  const { data } = await feed.until('turn.ended')
  expect(data.error).toMatchObject({
    code: 'content_not_supported',
    message: expect.stringContaining('accepts no images') as string,
  })
  const { frames } = await hub.get<{ frames: { frame: { method?: string } }[] }>(`${path}/wire`)
  expect(frames.map(({ frame }) => frame.method)).not.toContain('session/prompt')
  // From now on its capabilities are known.
  expect((await hub.post(`${path}/prompt`, { prompt: [TEXT, PICTURE] })).status).toBe(422)
})

test('the capabilities of an agent outlive it', async () => {
  const { path, feed } = await hub.createSession('text-only')
  await hub.post(`${path}/complete`, {})
  await feed.until('session.ended')
  const { state } = await hub.get<Timeline>(`${path}/timeline`)
  expect(state).toMatchObject({
    agent: null,
    capabilities: { promptCapabilities: { image: false } },
  })
  // A page can grey out the button for images before a session exists.
  const { extensions } = await hub.get<{ extensions: Extension[] }>('/api/extensions')
  expect(extensions.find(({ id }) => id === 'text-only')).toMatchObject({
    capabilities: { promptCapabilities: { image: false } },
  })
})

test('a prompt that is cancelled while its picture is read ends at once and does not reach the agent', async () => {
  const { id, path, feed } = await hub.createSession()
  const bytes = Buffer.from(PIXEL, 'base64')
  const headers = { 'content-type': 'image/png' }
  const uploaded = await hub.fetch('/api/media', { method: 'POST', headers, body: bytes })
  const { url: uri } = (await uploaded.json()) as { url: string }
  // Reading a pipe waits for its writer.
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const pipe = mediaPath(join(hub.folder, 'data', 'media'), sha256)
  rmSync(pipe)
  execFileSync('mkfifo', [pipe])

  const prompt = [
    { type: 'text', text: 'slow 60' },
    { type: 'image', mimeType: 'image/png', uri },
  ]
  expect((await hub.post(`${path}/prompt`, { prompt })).status).toBe(202)
  await feed.until('turn.started')
  await feed.call('session/cancel', { sessionId: id })
  const { data } = await feed.until('turn.ended')
  expect(data).toMatchObject({ stopReason: 'cancelled' })
  await writeFile(pipe, bytes)
  const { frames } = await hub.get<{ frames: { frame: { method?: string } }[] }>(`${path}/wire`)
  const methods = frames.map(({ frame }) => frame.method)
  expect(methods).toContain('session/new')
  expect(methods).not.toContain('session/cancel')
  expect(methods).not.toContain('session/prompt')
  expect(feed.events.filter(({ type }) => type === 'agent.started')).toHaveLength(1)
})
