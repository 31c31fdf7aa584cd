// The wire of a session over HTTP: only its own frames, from memory and from files, redacted, as JSON and as lines.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { wireFrameSchema } from '@quayside/protocol/schemas'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestHub, type TestHub, type TestSession, TOKEN } from './test-hub.js'

type Frame = { session?: string; direction: string; process: string; frame: unknown; cut?: true }

async function framesOf(session: TestSession, query = ''): Promise<Frame[]> {
  const { frames } = await session.hub.get<{ frames: Frame[] }>(`${session.path}/wire${query}`)
  return frames
}

const isUpdate = ({ frame }: Frame) => JSON.stringify(frame).includes('agent_message_chunk')

async function twoSessions(hub: TestHub): Promise<[TestSession, TestSession]> {
  const one = await hub.createSession()
  const other = await hub.createSession()
  await one.run(`echo mine api_key=hunter2hunter2 ${TOKEN}`)
  await other.run('echo theirs')
  return [one, other]
}

let hub: TestHub
let one: TestSession
let other: TestSession
beforeAll(async () => {
  hub = await startTestHub()
  ;[one, other] = await twoSessions(hub)
})
afterAll(() => hub[Symbol.asyncDispose]())

test('without files: the last of its process, from initialize on, and nothing of others', async () => {
  const frames = await framesOf(one)
  const text = JSON.stringify(frames)
  expect(frames[0]).toMatchObject({ direction: 'out', frame: { method: 'initialize' } })
  expect(frames.filter(isUpdate)).not.toEqual([])
  expect(text).toContain('echo mine')
  expect(text).not.toMatch(/theirs|hunter2|a-token-for-tests/)
  expect(new Set(frames.map(({ session }) => session))).toEqual(
    new Set([undefined, one.id.slice(0, 8)]),
  )
  expect(await framesOf(one, '?limit=2')).toEqual(frames.slice(-2))
  expect(JSON.stringify(await framesOf(other))).not.toContain('mine')
  expect((await hub.fetch('/api/sessions/none/wire')).status).toBe(404)
  expect((await hub.fetch(`${one.path}/wire?limit=0`)).status).toBe(400)
})

test('the raw frames of all agents name the whole session, whose beginnings are alike', async () => {
  const { frames } = await hub.get<{ frames: { sessionId?: string }[] }>(
    '/api/extensions/debug/raw?limit=200',
  )
  const ids = new Set(frames.map(({ sessionId }) => sessionId))
  expect(ids).toEqual(new Set([undefined, one.id, other.id]))
})

test('a message that violates ACP is marked with the place', async () => {
  const session = await hub.createSession()
  await session.run('nulls')
  const frames = (await framesOf(session)) as (Frame & { faults?: string[] })[]
  expect(frames.flatMap(({ faults = [] }) => faults)).toEqual(
    expect.arrayContaining([
      'params.update.entries: is null, not array',
      'params.sessionId: is missing',
    ]),
  )
  expect(frames.filter(({ direction, faults }) => direction === 'out' && faults)).toEqual([])
})

test('with files: all of it, also after the agent and the hub have ended', async () => {
  const env = { QUAYSIDE_WIRE_LOG: '1' }
  const first = await startTestHub({ env })
  const [mine] = await twoSessions(first)
  await mine.run('stream 300')
  const live = await framesOf(mine, '?limit=10000')
  expect(live.length).toBeGreaterThan(200)
  expect(live[0]).toMatchObject({ frame: { method: 'initialize' } })
  expect(JSON.stringify(live)).not.toMatch(/theirs|hunter2|a-token-for-tests/)
  expect(new Set(live.map(({ session }) => session))).toEqual(
    new Set([undefined, mine.id.slice(0, 8)]),
  )
  await first.hub.stop()
  expect(readdirSync(join(first.folder, 'data', 'wire'))).toHaveLength(2)

  await using second = await startTestHub({ env, folder: first.folder })
  const response = await second.get<{ frames: Frame[] }>(`${mine.path}/wire?limit=10000`)
  expect(response.frames.slice(0, live.length)).toEqual(live)
})

test('as lines it is a download, by format or by what the client accepts', async () => {
  const accept = { headers: { accept: 'application/x-ndjson' } }
  for (const response of [
    await hub.fetch(`${one.path}/wire?format=jsonl`),
    await hub.fetch(`${one.path}/wire`, accept),
    await hub.fetch('/api/extensions/debug/raw?limit=200', accept),
  ]) {
    expect(response.headers.get('content-type')).toBe('application/x-ndjson')
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="?wire[\w-]*\.jsonl"?$/,
    )
    const lines = (await response.text()).trimEnd().split('\n')
    expect(lines.length).toBeGreaterThan(5)
    for (const line of lines) wireFrameSchema.parse(JSON.parse(line))
  }
  const json = await hub.fetch(`${one.path}/wire?format=json`, accept)
  expect(json.headers.get('content-type')).toMatch(/^application\/json/)
})
