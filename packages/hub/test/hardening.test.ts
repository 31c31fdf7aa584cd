// Misbehaving agents that the hub must withstand, each with a real child process.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EventOf, Message, SessionUpdate } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EXTENSIONS, startTestHub, type TestHub, type TestSession } from './test-hub.js'

let hub: TestHub
beforeAll(async () => {
  hub = await startTestHub({
    sharesAgent: true,
    env: { AGENT_MAX_SESSIONS: '100', QUAYSIDE_EXTENSIONS: EXTENSIONS },
  })
})
afterAll(() => hub[Symbol.asyncDispose]())

function updates({ feed }: TestSession): SessionUpdate[] {
  return feed.events
    .filter((event): event is EventOf<'acp.update'> => event.type === 'acp.update')
    .map(({ data }) => data.update)
}

async function messagesOf(session: TestSession): Promise<Message[]> {
  return hub.get<Message[]>(`${session.path}/messages`)
}

test.each([
  ['junk', 'text, broken JSON, blank lines and answers to nothing between its messages'],
  ['noise 20000', 'twenty thousand lines that are no JSON'],
  ['long 17000000', 'a line longer than the cap'],
  ['split', 'its bytes one at a time, with CRLF'],
  ['batch', 'updates in a JSON-RPC batch'],
  ['deep 20000', 'JSON nested twenty thousand deep'],
  ['string-id', 'our numeric id as a string'],
  ['twice', 'the same answer twice'],
  ['nulls', 'updates with nulls and wrong types'],
])(
  'Handle JSON-RPC parse error: an agent that writes %s (%s) is understood, and the next turn works',
  async (word) => {
    const session = await hub.createSession()
    const { data } = await session.run(word)
    expect(data.stopReason).toBe('end_turn')
    expect(session.feed.text()).not.toBe('')
    expect((await session.run('echo and on')).data.stopReason).toBe('end_turn')
    expect((await hub.fetch(session.path)).status).toBe(200)
  },
)

test('a line over the cap is skipped with a notice, once, that people can read', async () => {
  const session = await hub.createSession()
  const { turnId } = await session.prompt('long 17000000')
  await session.feed.until('turn.ended')
  const notices = session.feed.events.filter(({ type }) => type === 'notice')
  expect(notices.map(({ data }) => data)).toEqual([
    expect.objectContaining({ severity: 'warning', code: 'line_too_long', turnId }),
  ])
  const messages = await messagesOf(session)
  expect(messages).toContainEqual(
    expect.objectContaining({
      role: 'system',
      content: expect.objectContaining({ text: expect.stringContaining('16 MiB') as string }),
    }),
  )
})

test('unknown updates and fields are kept word for word, unknown requests are answered', async () => {
  const session = await hub.createSession()
  await session.run('unknown')
  const kinds = updates(session).map(({ sessionUpdate }) => sessionUpdate)
  expect(kinds).toContain('_vendor_thing')
  expect(kinds).toContain('plan_removed')
  const known = new Set(['sessionUpdate', 'content', 'messageId'])
  const odd = updates(session)
    .filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk')
    .flatMap((update) => Object.keys(update).filter((field) => !known.has(field)))
  expect(odd).not.toEqual([])
  expect(session.feed.text()).toContain('-32601')
})

test('updates that come after the response stay with their turn', async () => {
  const session = await hub.createSession()
  const { turnId } = await session.prompt('late')
  await session.feed.until('turn.ended')
  await session.run('echo next')
  const late = session.feed.events.filter(
    (event): event is EventOf<'acp.update'> =>
      event.type === 'acp.update' && event.data.turnId === turnId,
  )
  const ended = session.feed.events.findIndex(({ type }) => type === 'turn.ended')
  expect(late.at(-1)!.seq).toBeGreaterThan(session.feed.events[ended]!.seq)
  const tools = (await messagesOf(session)).filter(({ content }) => content.type === 'tool')
  expect(tools).toHaveLength(1)
  expect(tools[0]).toMatchObject({ turnId, content: { status: 'completed' } })
})

test('a tool update before its call makes a placeholder, parallel calls stay apart, final is final', async () => {
  const session = await hub.createSession()
  await session.run('tools')
  await session.run('interleave')
  const tools = (await messagesOf(session)).filter(({ content }) => content.type === 'tool')
  expect(tools.length).toBeGreaterThanOrEqual(4)
  for (const { content } of tools)
    expect(content).toMatchObject({
      status: expect.stringMatching(/^(completed|failed)$/) as string,
    })
})

test('Routing: thoughts and plans are never in the final text', async () => {
  const session = await hub.createSession()
  await session.run('think a secret thought')
  await session.run('plan')
  const messages = await messagesOf(session)
  const thoughts = messages.filter(({ content }) => content.type === 'thought')
  expect(thoughts.map(({ content }) => 'text' in content && content.text)).toEqual([
    'a secret thought',
  ])
  const answer = messages.find(({ role, content }) => role === 'agent' && content.type === 'text')
  expect(answer!.content).toMatchObject({ text: 'I thought about: a secret thought' })
  expect(messages.some(({ content }) => content.type === 'plan')).toBe(true)
})

test('Streaming: a delta stream becomes the whole text', async () => {
  const session = await hub.createSession()
  await session.run('stream 500')
  const [, answer] = await messagesOf(session)
  expect(answer!.content).toMatchObject({ text: session.feed.text(), partial: false })
})

test('Streaming: under the snapshot quirk the last snapshot is the text', async () => {
  const session = await hub.createSession('snapshot')
  await session.run('snapshot Hello snapshots')
  const answer = (await messagesOf(session)).find(({ role }) => role === 'agent')
  expect(answer!.content).toMatchObject({ type: 'text', text: 'Hello snapshots' })
})

test('images become media, served safely', async () => {
  const session = await hub.createSession()
  await session.run('image')
  const image = (await messagesOf(session)).find(({ content }) => content.type === 'image')
  const { url } = image!.content as { url: string }
  expect(url).toMatch(/^\/media\/[\w-]+$/)
  const response = await hub.fetch(url)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('image/png')
  expect(response.headers.get('content-security-policy')).toContain('sandbox')
  expect(
    Buffer.from(await response.arrayBuffer())
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG')
  expect((await fetch(`${hub.hub.address}${url}`)).status).toBe(401)
})

test('Base64 data URI images in text, split across chunks, are rewritten to /media/<id>', async () => {
  const session = await hub.createSession()
  await session.run('data-uri')
  const answer = (await messagesOf(session)).find(({ role }) => role === 'agent')
  const { text } = answer!.content as { text: string }
  expect(text).not.toContain('base64')
  const [url] = /\/media\/[\w-]+/.exec(text)!
  expect((await hub.fetch(url)).headers.get('content-type')).toBe('image/png')
})

test('a big message arrives whole', async () => {
  const session = await hub.createSession()
  await session.run('big 3000000')
  expect(session.feed.text()).toHaveLength(3_000_000)
})

test('usage and titles of the agent are kept', async () => {
  const session = await hub.createSession()
  await session.run('title A better name')
  expect((await session.summaryNow()).title).toBe('A better name')
  const { data } = await session.run('usage')
  expect(data.usage).toBeDefined()
  expect(updates(session).some(({ sessionUpdate }) => sessionUpdate === 'usage_update')).toBe(true)
})

test('with QUAYSIDE_WIRE_LOG=1 each process writes its frames to a file, without secrets', async () => {
  await using logging = await startTestHub({ env: { QUAYSIDE_WIRE_LOG: '1' } })
  const session = await logging.createSession()
  await session.run('echo Bearer abcdefghijklmnopqrstuvwxyz0123456789')
  await logging.fetch(session.path, { method: 'DELETE' })
  await logging.hub.stop()
  const folder = join(logging.folder, 'data', 'wire')
  const [file] = readdirSync(folder)
  const text = readFileSync(join(folder, file!), 'utf8')
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { direction: string })
  expect(lines.length).toBeGreaterThan(6)
  expect(text).toContain('session/prompt')
  expect(text).not.toContain('abcdefghijklmnopqrstuvwxyz')
})

test('the last frames can be looked at, without secrets', async () => {
  const session = await hub.createSession()
  await session.run('echo my key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789')
  const { frames } = await hub.get<{ frames: { direction: string }[] }>(
    '/api/extensions/debug/raw?limit=200',
  )
  expect(frames.length).toBeGreaterThan(4)
  expect(new Set(frames.map(({ direction }) => direction))).toEqual(new Set(['in', 'out']))
  expect(JSON.stringify(frames)).not.toContain('abcdefghijklmnopqrstuvwxyz')
})
