// Forks: a new session that shares the conversation of another one up to a turn, with the files of that turn in a work tree of its own.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type {
  ErrorBody,
  Message,
  SessionChanges,
  SessionDetail,
  SessionEvent,
  SessionList,
  SessionSummary,
  Timeline,
} from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestRepo } from './git-fixture.js'
import { EXTENSIONS, startTestHub, type TestHub, TestSession } from './test-hub.js'

const UNASKED = { permissions: { mode: 'auto', rules: [] } }
const MEMORY = 'the word is quayside'

let hub: TestHub
beforeAll(async () => {
  hub = await start()
})
afterAll(() => hub[Symbol.asyncDispose]())

function start(folder?: string): Promise<TestHub> {
  const env = { AGENT_MAX_SESSIONS: '50', QUAYSIDE_EXTENSIONS: EXTENSIONS }
  return startTestHub({ sharesAgent: true, env, ...(folder && { folder }) })
}

/** A session with two turns, each of which has edited a file. */
async function twoTurns(extension?: string) {
  const more = { title: 'Prices', settings: { ...UNASKED, workspace: 'worktree' } }
  const session = await hub.createSession(extension, more)
  await session.run(`echo ${MEMORY}`)
  const first = await session.run('edit one.txt')
  const second = await session.run('edit two.txt')
  return { session, first: first.data.turnId, second: second.data.turnId }
}

async function fork(session: TestSession, input: object = {}): Promise<TestSession> {
  const response = await hub.post(`${session.path}/fork`, input)
  if (response.status !== 201) throw new Error(await response.text())
  const summary = (await response.json()) as SessionSummary
  return new TestSession(hub, summary, await hub.follow(summary.id))
}

async function refusal(path: string, input: object) {
  const response = await hub.post(path, input)
  return { status: response.status, code: ((await response.json()) as ErrorBody).error.code }
}

async function textsOf({ path }: TestSession): Promise<string[]> {
  const messages = await hub.get<Message[]>(`${path}/messages`)
  return messages.flatMap(({ content }) => (content.type === 'text' ? [content.text] : []))
}

function hasFile({ summary }: TestSession, name: string): boolean {
  return existsSync(join(summary.workspace?.path ?? '', name))
}

async function changedIn({ path }: TestSession): Promise<string[]> {
  const changes = await hub.get<SessionChanges>(`${path}/changes`)
  return changes.is === 'known' ? changes.files.map((file) => file.path) : [changes.is]
}

test('a fork has the conversation and the files up to a turn, and both go on by themselves', async () => {
  const { session, first } = await twoTurns()
  const forked = await fork(session, { turnId: first })
  const { id, workspace, forkedFrom, title } = forked.summary
  expect({ title, forkedFrom }).toMatchObject({
    title: 'Prices',
    forkedFrom: { sessionId: session.id, turnId: first },
  })
  expect(workspace).toMatchObject({ kind: 'worktree', base: 'main' })
  expect(workspace?.branch).not.toBe(session.summary.workspace?.branch)
  expect([hasFile(forked, 'one.txt'), hasFile(forked, 'two.txt')]).toEqual([true, false])

  // The first prompt begins with the conversation so far, and is no word of the demo agent.
  await forked.run('go on')
  await forked.run('edit three.txt')
  await session.run('edit four.txt')
  expect(hasFile(session, 'three.txt')).toBe(false)
  expect(hasFile(forked, 'four.txt')).toBe(false)
  expect(await changedIn(forked)).toEqual(['quayside-demo.md', 'three.txt'])
  const prompts = (await textsOf(forked)).filter((text) => text.startsWith('edit'))
  expect(prompts).toEqual(['edit one.txt', 'edit three.txt'])
  const { sessions } = await hub.get<SessionList>('/api/sessions?q=prices')
  expect(sessions.map((found) => found.id)).toContain(id)
  const { turnCount } = await hub.get<SessionSummary>(forked.path)
  expect(turnCount).toBe(4)
  const { forkedFrom: listed } = await hub.get<SessionDetail>(`/api/sessions/${id}?messages=0`)
  expect(listed).toEqual(forkedFrom)
})

test('the log of a fork is that of the session and then its own, without a gap, for every reader', async () => {
  const { session, second } = await twoTurns()
  const forked = await fork(session, { turnId: second })
  await forked.run('echo more')
  const { seq: shared = 0 } = forked.summary.forkedFrom ?? {}
  const eventsOf = ({ path }: TestSession) =>
    hub.get<{ events: SessionEvent[] }>(`${path}/events?limit=1000`)
  const [own, theirs] = [(await eventsOf(forked)).events, (await eventsOf(session)).events]
  expect(own.map(({ seq }) => seq)).toEqual(Array.from({ length: own.length }, (_, at) => at + 1))
  expect(own.every(({ sessionId }) => sessionId === forked.id)).toBe(true)
  const facts = (events: SessionEvent[]) =>
    events.slice(0, shared).map((event) => ({ ...event, sessionId: '' }))
  expect(facts(own)).toEqual(facts(theirs))
  expect(own[shared]).toMatchObject({ type: 'session.created' })
  expect(forked.feed.events.slice(0, own.length)).toEqual(own)

  const { items, state } = await hub.get<Timeline>(`${forked.path}/timeline?limit=100`)
  expect(state.sessionId).toBe(forked.id)
  expect(items.filter(({ type }) => type === 'user')).toHaveLength(4)
  const notices = items.flatMap((item) => (item.type === 'notice' ? [item.code] : []))
  expect(notices).toContain('session_forked')
  const found = await hub.get<{ places: unknown[] }>(`${forked.path}/find?q=quayside`)
  expect(found.places.length).toBeGreaterThan(0)
})

test('an agent that can fork remembers; any other gets the conversation, which can be read before', async () => {
  const { session, second } = await twoTurns()
  const remembering = await fork(session, { turnId: second })
  await remembering.run('recall')
  expect((await textsOf(remembering)).at(-1)).toContain(MEMORY)
  expect(await hub.get(`${remembering.path}/primer`)).toEqual({ text: '' })
  const started = (of: TestSession) =>
    of.feed.events.findLast(({ type }) => type === 'agent.started')?.data
  expect(started(remembering)).toMatchObject({ how: 'fork' })

  const plain = await twoTurns('loader')
  const primed = await fork(plain.session, { turnId: plain.first })
  expect(started(primed)).toMatchObject({ how: 'primer' })
  const { text } = await hub.get<{ text: string }>(`${primed.path}/primer`)
  expect(text).toContain(MEMORY)
  expect(text).not.toContain('two.txt')
  await primed.run('echo go on')
  expect(await hub.get(`${primed.path}/primer`)).toEqual({ text: '' })
  const { frames } = await hub.get<{ frames: unknown[] }>(`${primed.path}/wire`)
  expect(JSON.stringify(frames)).toContain(JSON.stringify(text).slice(1, 200))
})

test('a fork before a turn has neither its prompt nor its files', async () => {
  const { session, first } = await twoTurns()
  const forked = await fork(session, { turnId: first, before: true })
  expect(hasFile(forked, 'one.txt')).toBe(false)
  expect(await textsOf(forked)).not.toContain('edit one.txt')
  const { items } = await hub.get<Timeline>(`${forked.path}/timeline`)
  expect(JSON.stringify(items)).not.toContain('one.txt')
})

test('without a turn the fork has everything that has ended, and the files as they are now', async () => {
  const { session } = await twoTurns()
  const { turnId: running } = await session.prompt('slow 60')
  await session.feed.until('turn.started', ({ turnId }) => turnId === running)
  await session.prompt('echo waiting')
  const forked = await fork(session)
  expect(await refusal(`${session.path}/fork`, { turnId: running })).toEqual({
    status: 409,
    code: 'turn_running',
  })
  expect(hasFile(forked, 'two.txt')).toBe(true)
  const texts = await textsOf(forked)
  expect(texts).toContain('edit two.txt')
  expect(texts.filter((text) => /slow|waiting/.test(text))).toEqual([])
  expect(forked.summary).toMatchObject({ activity: 'idle', turnCount: 3 })
  await hub.post(`${session.path}/cancel`, {})
})

test('a fork of a fork, also of a turn that it shares itself', async () => {
  const { session, first, second } = await twoTurns()
  const forked = await fork(session, { turnId: second })
  await forked.run('edit three.txt')
  const all = await fork(forked)
  expect([hasFile(all, 'three.txt'), (await textsOf(all)).includes('edit three.txt')]).toEqual([
    true,
    true,
  ])
  const early = await fork(forked, { turnId: first })
  expect([hasFile(early, 'one.txt'), hasFile(early, 'two.txt')]).toEqual([true, false])
  expect(await textsOf(early)).not.toContain('edit two.txt')
})

test('a fork outlives a restart of the hub, and is resumed like any other session', async () => {
  const { session, second } = await twoTurns()
  const forked = await fork(session, { turnId: second })
  await forked.run('edit three.txt')
  await hub.hub.stop()
  hub = await start(hub.folder)
  await hub.post(`${forked.path}/resume`, {})
  const again = new TestSession(hub, forked.summary, await hub.follow(forked.id))
  await again.run('recall')
  expect((await textsOf(again)).at(-1)).toContain(MEMORY)
})

test('a session with forks cannot be removed before them, and unknown turns are refused', async () => {
  const { session } = await twoTurns()
  const forked = await fork(session)
  const purge = (path: string) => hub.fetch(`${path}?purge=true`, { method: 'DELETE' })
  const refused = await purge(session.path)
  expect(refused.status).toBe(409)
  expect(((await refused.json()) as ErrorBody).error).toMatchObject({
    code: 'session_has_forks',
    details: { forks: [forked.id] },
  })
  expect(await hub.get(session.path)).toMatchObject({ status: 'active' })
  expect(await refusal(`${session.path}/fork`, { turnId: 'unknown' })).toEqual({
    status: 404,
    code: 'turn_not_found',
  })
  expect((await purge(forked.path)).status).toBe(200)
  expect((await purge(session.path)).status).toBe(200)
})

test('a turn is forked after the work tree of its session was discarded', async () => {
  const { session, first } = await twoTurns()
  await hub.post(`${session.path}/workspace`, { action: 'discard' })
  expect(hasFile(await fork(session, { turnId: first }), 'one.txt')).toBe(true)
  expect(await refusal(`${session.path}/fork`, {})).toEqual({
    status: 409,
    code: 'workspace_missing',
  })
})

test('a session is not removed while it is forked', async () => {
  const { session } = await twoTurns()
  await hub.fetch(session.path, { method: 'DELETE' })
  const [forked, purged] = await Promise.all([
    hub.post(`${session.path}/fork`, {}),
    hub.fetch(`${session.path}?purge=true`, { method: 'DELETE' }),
  ])
  expect([
    [201, 409],
    [404, 200],
  ]).toContainEqual([forked.status, purged.status])
})

test('a fork that cannot start leaves no work tree, no branch and no files behind', async () => {
  const { path } = await hub.firstRepo()
  const repo = new TestRepo(path)
  repo.write('.git/info/exclude', 'ignored/\n')
  repo.write('ignored/file.txt', 'The folder of the agent is not in its forks.\n')
  const settings = { ...UNASKED, workspace: 'shared', cwd: 'ignored' }
  const session = await hub.createSession(undefined, { settings })
  await session.run('echo its own snapshot is kept')
  const folders = ['worktrees', 'snapshots'].map((name) => join(hub.folder, 'data', name))
  const left = () => [...folders.map((folder) => readdirSync(folder)), repo.git('branch')]
  const before = left()
  expect(await refusal(`${session.path}/fork`, {})).toEqual({
    status: 422,
    code: 'invalid_settings',
  })
  expect(left()).toEqual(before)
})
