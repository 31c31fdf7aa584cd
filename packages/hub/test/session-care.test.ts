// Managing sessions: rename, pin, archive, settings, timeline, export and images in prompts.
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Item, SessionEvent, SessionSummary } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestHub, type TestHub, type TestSession } from './test-hub.js'

let hub: TestHub
beforeAll(async () => {
  hub = await startTestHub({ sharesAgent: true, env: { AGENT_MAX_SESSIONS: '50' } })
})
afterAll(() => hub[Symbol.asyncDispose]())

function patch(session: TestSession, body: unknown): Promise<Response> {
  return hub.fetch(session.path, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

async function editFile(session: TestSession, path: string): Promise<void> {
  const { turnId } = await session.prompt(`edit ${path}`)
  const asked = await session.feed.until('permission.requested', (data) => data.turnId === turnId)
  const allow = asked.data.options.find(({ kind }) => kind === 'allow_once')
  await session.answer(asked.data.permissionId, allow!.optionId)
  await session.feed.until('turn.ended', (data) => data.turnId === turnId)
}

test('a session can be renamed, pinned and archived, active or ended', async () => {
  const session = await hub.createSession()
  expect(await (await patch(session, { title: 'Renamed' })).json()).toMatchObject({
    title: 'Renamed',
  })
  await session.run('title The agent wants another')
  expect((await session.summaryNow()).title).toBe('Renamed')
  await hub.fetch(session.path, { method: 'DELETE' })
  const changed = await patch(session, { pinned: true, archived: true })
  expect(await changed.json()).toMatchObject({ pinned: true, archived: true, status: 'cancelled' })
  expect((await patch(session, {})).status).toBe(400)
  expect((await patch(session, { title: '' })).status).toBe(400)
  expect((await patch(session, { colour: 'red' })).status).toBe(400)
})

test('a session has the cost that its agent reported, active or ended', async () => {
  const session = await hub.createSession()
  expect(await session.summaryNow()).not.toHaveProperty('cost')
  await session.run('usage')
  const cost = { amount: 0.0042, currency: 'USD' }
  expect(await session.summaryNow()).toMatchObject({ activity: 'idle', cost })
  const ended = await hub.fetch(session.path, { method: 'DELETE' })
  expect(await ended.json()).toMatchObject({ status: 'cancelled', cost })
  const { sessions } = await hub.get<{ sessions: SessionSummary[] }>('/api/sessions')
  expect(sessions.find(({ id }) => id === session.id)).toMatchObject({ cost })
})

test('rules in the settings count from now on; another folder restarts the agent and it remembers', async () => {
  const session = await hub.createSession()
  await session.run('echo remember this')
  await patch(session, { settings: { permissions: { mode: 'auto', rules: [] } } })
  await session.run('ask')
  expect((await session.feed.until('permission.resolved')).data.reason).toBe('rule')

  expect((await patch(session, { settings: { cwd: '/etc' } })).status).toBe(403)
  expect((await patch(session, { settings: { cwd: '..' } })).status).toBe(403)
  const { mkdirSync } = await import('node:fs')
  const { path } = await hub.firstRepo()
  mkdirSync(`${path}/inner`, { recursive: true })
  expect((await patch(session, { settings: { cwd: 'inner' } })).status).toBe(200)
  await session.run('cwd')
  expect(session.feed.text()).toContain(`${path}/inner`)
  await session.run('recall')
  expect(session.feed.text()).toContain('remember this')
})

test('the timeline gives the last rows folded and where to follow from', async () => {
  const session = await hub.createSession()
  for (let n = 0; n < 6; n += 1) await session.run(`echo ${n}`)
  type Timeline = { items: Item[]; seq: number; before?: number }
  const last = await hub.get<Timeline>(`${session.path}/timeline?limit=4`)
  expect(last.seq).toBe((await session.summaryNow()).lastSeq)
  const texts = (items: readonly Item[]) =>
    items.filter(({ type }) => type === 'text').map((item) => 'text' in item && item.text)
  expect(texts(last.items)).toEqual(['4', '5'])
  const earlier = await hub.get<Timeline>(`${session.path}/timeline?limit=4&before=${last.before}`)
  expect(texts(earlier.items)).toEqual(['2', '3'])
  const all = await hub.get<Timeline>(`${session.path}/timeline?limit=500`)
  expect(all.before).toBeUndefined()
  expect(texts(all.items)).toEqual(['0', '1', '2', '3', '4', '5'])
})

test('a session is exported as its events, one a line', async () => {
  const session = await hub.createSession()
  await session.run('stream 2000')
  const response = await hub.fetch(`${session.path}/export`)
  expect(response.headers.get('content-disposition')).toContain(`session-${session.id}.jsonl`)
  const events = (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as SessionEvent)
  expect(events).toEqual(session.feed.events)
})

test('a picture is uploaded, put into a prompt and reaches the agent', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const upload = (type: string) =>
    hub.fetch('/api/media', { method: 'POST', headers: { 'content-type': type }, body: png })
  expect((await upload('text/html')).status).toBe(415)
  const response = await upload('image/png')
  expect(response.status).toBe(201)
  const { url } = (await response.json()) as { url: string }
  const session = await hub.createSession()
  const prompt = [
    { type: 'text', text: 'echo seen' },
    { type: 'image', mimeType: 'image/png', data: '', uri: url },
  ]
  expect((await hub.post(`${session.path}/prompt`, { prompt })).status).toBe(202)
  await session.feed.until('turn.ended')
  const { frames } = await hub.get<{ frames: { direction: string; frame: { method?: string } }[] }>(
    '/api/extensions/debug/raw?limit=200',
  )
  const sent = frames.findLast(({ frame }) => frame.method === 'session/prompt')
  expect(JSON.stringify(sent)).toContain('iVBORw0KGgo')
  expect(JSON.stringify(session.feed.events)).not.toContain('iVBORw0KGgo')
})

test('an archived session takes no work until it is unarchived, active or not', async () => {
  const session = await hub.createSession()
  const { path } = session
  await session.prompt('ask')
  const { data } = await session.feed.until('permission.requested')
  await session.prompt('echo queued', 'queued')
  await patch(session, { archived: true })
  const put = (at: string, body: unknown) =>
    hub.fetch(`${path}/${at}`, {
      method: at.startsWith('queue') ? 'PATCH' : 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const refusals = [
    () => hub.post(`${path}/prompt`, { text: 'echo hi' }),
    () => put('queue/queued', { text: 'echo changed' }),
    () => put('options/mode', { value: 'code' }),
  ]
  const requireRefused = async (response: Response): Promise<void> => {
    expect(response.status).toBe(409)
    expect(await response.json()).toMatchObject({
      error: {
        code: 'session_archived',
        message: expect.stringContaining(`quayside sessions unarchive ${session.id}`) as string,
      },
    })
  }
  for (const refusal of refusals) await requireRefused(await refusal())
  // Work that has begun can be decided and ended.
  const decided = await hub.post(`${path}/permissions/${data.permissionId}`, {
    outcome: 'cancelled',
  })
  expect(decided.status).toBe(200)
  await session.feed.until('turn.ended', ({ turnId }) => turnId === 'queued')

  await hub.post(`${path}/complete`, {})
  await requireRefused(await hub.post(`${path}/prompt`, { text: 'echo hi' }))
  await requireRefused(await hub.post(`${path}/resume`, {}))
  await patch(session, { archived: false })
  expect((await hub.post(`${path}/resume`, {})).status).toBe(200)
  await session.run('echo back')
})

test('titles of agents and people are one line of at most 200 characters', async () => {
  const session = await hub.createSession()
  await session.run('echo a\u0000bc')
  expect((await session.summaryNow()).title).toBe('echo abc')
  await session.run('title Fix\u0000 the login')
  expect((await session.summaryNow()).title).toBe('Fix the login')
  await session.run(`title ${'x'.repeat(5_000)}`)
  expect((await session.summaryNow()).title).toBe(`${'x'.repeat(199)}…`)
  await patch(session, { title: 'Mine\u0000\nonly' })
  expect((await session.summaryNow()).title).toBe('Mine only')
})

test('the summary of a session has its status, activity and title', async () => {
  const session = await hub.createSession()
  await session.run('echo hi')
  const summary = await hub.get<SessionSummary>(session.path)
  expect(summary).toMatchObject({ status: 'active', activity: 'idle', title: 'echo hi' })
})

test('the changes of a session are what it changed, also in a dirty tree', async () => {
  const { path } = await hub.firstRepo()
  writeFileSync(`${path}/dirty-before.txt`, 'mine\n')
  const session = await hub.createSession()
  await editFile(session, 'made-by-agent.md')
  type Changes = { is: string; files: { path: string; status: string; patch?: string }[] }
  const changes = await hub.get<Changes>(`${session.path}/changes`)
  expect(changes).toMatchObject({ is: 'known', files: [{ path: 'made-by-agent.md', status: 'A' }] })
  expect(changes.files[0]!.patch).toContain('+')
  const bare = await hub.get<Changes>(`${session.path}/changes?patches=false`)
  expect(bare.files[0]).not.toHaveProperty('patch')
})

test('a session that has just begun is compared too, not reported as no longer kept', async () => {
  const session = await hub.createSession()
  const changes = await hub.get<{ is: string }>(`${session.path}/changes`)
  expect(changes).toMatchObject({ is: 'known', total: 0 })
})

test('the changes of the latest turn are what changed since it began', async () => {
  const { path } = await hub.firstRepo()
  const session = await hub.createSession()
  const sinceTurn = () => hub.get<{ files: object[] }>(`${session.path}/changes?since=turn`)
  expect(await sinceTurn()).toEqual({ is: 'none' })

  await editFile(session, 'first-turn.md')
  expect(await sinceTurn()).toMatchObject({ is: 'known', files: [{ path: 'first-turn.md' }] })
  writeFileSync(`${path}/between.txt`, 'by a person\n')
  await editFile(session, 'first-turn.md')
  const second = { path: 'first-turn.md', status: 'M', added: 1 }
  expect(await sinceTurn()).toMatchObject({ is: 'known', total: 1, files: [second] })
  await session.run('echo nothing')
  expect(await sinceTurn()).toMatchObject({ is: 'known', total: 0 })

  rmSync(join(hub.folder, 'data', 'snapshots', session.id, 'checkpoints.jsonl'))
  expect(await sinceTurn()).toEqual({ is: 'gone' })
})

test.each(['purging', 'a cleaning'])('%s removes rows, log and kept work tree', async (what) => {
  const session = await hub.createSession()
  await session.run('image')
  const workTree = join(hub.folder, 'data', 'snapshots', session.id)
  expect(existsSync(workTree)).toBe(true)
  if (what === 'purging') {
    const response = await hub.fetch(`${session.path}?purge=true`, { method: 'DELETE' })
    expect(response.status).toBe(200)
  } else {
    await hub.post(`${session.path}/complete`, {})
    const cleaned = await hub.post('/api/storage/clean', { maxBytes: 0 })
    expect(((await cleaned.json()) as { removed: string[] }).removed).toContain(session.id)
  }
  expect(existsSync(workTree)).toBe(false)
  for (const path of ['', '/messages', '/events', '/timeline'])
    expect((await hub.fetch(`${session.path}${path}`)).status).toBe(404)
})
