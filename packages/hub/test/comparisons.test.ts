// One prompt to several agents: created as a whole or not at all, checked after each turn, and reduced to the one that is taken.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type {
  Comparison,
  ErrorBody,
  SessionList,
  SessionSummary,
  Terminal,
} from '@quayside/protocol'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeWorktree, openBase, removeWorktree } from '../src/workspaces/make-worktree.js'
import { TestRepo } from './git-fixture.js'
import { EXTENSIONS, startTestHub, type TestHub } from './test-hub.js'

const UNASKED = { permissions: { mode: 'auto', rules: [] } }

let hub: TestHub
let repo: TestRepo
let repoId: string
beforeAll(async () => {
  hub = await startTestHub({
    sharesAgent: true,
    env: { QUAYSIDE_EXTENSIONS: EXTENSIONS, AGENT_MAX_SESSIONS: '6' },
  })
  const { id, path } = await hub.firstRepo()
  repoId = id
  repo = new TestRepo(path)
})
afterAll(() => hub[Symbol.asyncDispose]())
beforeEach(async () => {
  const { sessions } = await hub.get<SessionList>('/api/sessions?status=active&limit=100')
  for (const { id } of sessions) await hub.fetch(`/api/sessions/${id}`, { method: 'DELETE' })
  await setCheck(null)
})

function setCheck(check: string | null): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ settings: { check } })
  return hub.fetch(`/api/repos/${repoId}`, { method: 'PATCH', headers, body })
}

async function compare(text: string, more: object = {}): Promise<Comparison> {
  const input = { repoId, agents: ['demo', 'demo', 'text-only'], text, settings: UNASKED, ...more }
  const response = await hub.post('/api/comparisons', input)
  const answer = await response.json()
  expect(response.status, JSON.stringify(answer)).toBe(201)
  return answer as Comparison
}

async function refusal(path: string, body: object) {
  const response = await hub.post(path, body)
  const { error } = (await response.json()) as ErrorBody
  return { status: response.status, code: error.code, message: error.message }
}

function read({ id }: Pick<Comparison, 'id'>): Promise<Comparison> {
  return hub.get<Comparison>(`/api/comparisons/${id}`)
}

/** Resolves when no session works any more. */
async function done(comparison: Comparison): Promise<Comparison> {
  const outcomes = async () => (await read(comparison)).sessions.map(({ outcome }) => outcome)
  await expect.poll(outcomes, { timeout: 20_000 }).not.toContain('working')
  return read(comparison)
}

function placeOf({ workspace }: Pick<SessionSummary, 'workspace'>): TestRepo {
  return new TestRepo(workspace!.path)
}

/** All that a comparison could leave behind. */
function traces(): unknown {
  return [
    repo.git('for-each-ref'),
    repo.git('worktree', 'list'),
    readdirSync(join(hub.folder, 'data/worktrees')),
  ]
}

async function countSessions(): Promise<number> {
  return (await hub.get<SessionList>('/api/sessions?archived=any')).total
}

test('every agent has the prompt, and a work tree of its own from the same commit', async () => {
  const created = await compare('edit made.txt')
  expect(created.sessions.map(({ extensionId }) => extensionId)).toEqual([
    'demo',
    'demo',
    'text-only',
  ])
  const { sessions, check, taken } = await done(created)
  expect([check, taken]).toEqual([undefined, undefined])
  expect(new Set(sessions.map(({ workspace }) => workspace!.branch))).toEqual(
    new Set([
      'quayside/demo-edit-made-txt',
      'quayside/demo-edit-made-txt-2',
      'quayside/text-only-edit-made-txt',
    ]),
  )
  for (const session of sessions) {
    expect(session).toMatchObject({
      outcome: 'done',
      seconds: expect.any(Number),
      changes: { files: 1, added: 1, removed: 0 },
      workspace: { base: 'main', comparison: { id: created.id } },
    })
    expect(placeOf(session).git('rev-parse', 'HEAD')).toBe(repo.git('rev-parse', 'HEAD'))
  }
  expect(repo.git('status', '--porcelain').trim()).toBe('')
  // Found by any of its sessions.
  expect((await read(sessions[2]!)).id).toBe(created.id)
  expect((await hub.fetch('/api/comparisons/unknown')).status).toBe(404)
  const alone = await hub.createSession()
  expect((await hub.fetch(`/api/comparisons/${alone.id}`)).status).toBe(404)
})

test('all begin from the same uncommitted files', async () => {
  repo.write('draft.txt', 'draft\n')
  const { sessions } = await compare('echo hello', { settings: { ...UNASKED, base: '.' } })
  for (const session of sessions)
    expect(readFileSync(placeOf(session).at('draft.txt'), 'utf8')).toBe('draft\n')
  repo.git('clean', '-fdq')
})

test('an open base has the files of its moment, whatever a person changes meanwhile', async () => {
  repo.write('draft.txt', 'before\n')
  await using base = await openBase(repo.path, { base: '.' })
  for (const id of ['first', 'second']) {
    repo.write('draft.txt', `meanwhile ${id}\n`)
    const path = join(hub.folder, 'trees', id)
    const branch = await makeWorktree({ repository: repo.path, path, base, session: { id } })
    expect(readFileSync(join(path, 'draft.txt'), 'utf8')).toBe('before\n')
    await removeWorktree({ repository: repo.path, path, branch })
  }
  repo.git('clean', '-fdq')
})

test('when one agent cannot start, the others leave nothing behind, and the error names it', async () => {
  const [before, count] = [traces(), await countSessions()]
  const agents = ['demo', 'dying', 'demo']
  const body = { repoId, agents, text: 'echo hello', settings: UNASKED }
  const refused = await refusal('/api/comparisons', body)
  expect(refused.message).toMatch(/^dying: /)
  expect(refused.status).toBe(502)
  const unknown = { ...body, agents: ['demo', 'nobody'] }
  expect(await refusal('/api/comparisons', unknown)).toMatchObject({ code: 'extension_not_found' })
  expect(traces()).toEqual(before)
  expect(await countSessions()).toBe(count)
})

test('a prompt that one agent does not accept is sent to none that stays', async () => {
  const [before, count] = [traces(), await countSessions()]
  const image = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }
  const body = { repoId, agents: ['demo', 'text-only'], prompt: [image] }
  const refused = await refusal('/api/comparisons', body)
  expect(refused).toMatchObject({ code: 'content_not_supported' })
  expect(refused.message).toMatch(/^text-only: /)
  expect(traces()).toEqual(before)
  expect(await countSessions()).toBe(count)
})

test('the limit of active sessions is named before anything is made', async () => {
  const [before, count] = [traces(), await countSessions()]
  const body = { repoId, agents: Array.from({ length: 7 }, () => 'demo'), text: 'echo x' }
  expect(await refusal('/api/comparisons', body)).toMatchObject({
    status: 429,
    code: 'session_limit',
    message: expect.stringContaining('7 sessions are more than the limit of 6'),
  })
  expect(await refusal('/api/comparisons', { ...body, agents: ['demo'] })).toMatchObject({
    status: 400,
  })
  const nine = Array.from({ length: 9 }, () => 'demo')
  expect(await refusal('/api/comparisons', { ...body, agents: nine })).toMatchObject({
    status: 400,
  })
  expect(traces()).toEqual(before)
  expect(await countSessions()).toBe(count)
  for (let at = 0; at < 5; at += 1) await hub.createSession()
  expect(await refusal('/api/comparisons', { ...body, agents: ['demo', 'demo'] })).toMatchObject({
    message: expect.stringContaining('There are 5 active sessions, so 2 more'),
  })
  const made = await compare('echo x', { agents: ['demo', 'demo'], makeRoom: true })
  expect(made.sessions).toHaveLength(2)
})

test('the check runs after the turn in a terminal of the session, and its result is shown', async () => {
  await setCheck('test -e made.txt && test "$(basename "$(dirname "$PWD")")" != none; exit 3')
  const created = await compare('edit made.txt', { agents: ['demo', 'demo'] })
  const checks = async () => (await read(created)).sessions.map(({ workspace }) => workspace?.check)
  const failed = { state: 'failed', exitCode: 3, seconds: expect.any(Number) }
  await expect.poll(checks, { timeout: 20_000 }).toMatchObject([failed, failed])
  const [first] = (await read(created)).sessions
  const { terminals } = await hub.get<{ terminals: Terminal[] }>('/api/terminals')
  const shown = terminals.find(({ id }) => id === first!.workspace!.check!.terminalId)
  expect(shown).toMatchObject({ sessionId: first!.id, cwd: first!.workspace!.path })

  await setCheck('test -e made.txt')
  const again = await hub.post(`/api/sessions/${first!.id}/workspace/check`, {})
  expect(again.status).toBe(202)
  expect(await again.json()).toMatchObject({ state: 'running', command: 'test -e made.txt' })
  const summary = async () =>
    (await hub.get<SessionSummary>(`/api/sessions/${first!.id}`)).workspace
  await expect.poll(summary).toMatchObject({ check: { state: 'passed', exitCode: 0 } })
})

test('a check needs a command, a work tree of its own, and the end of the turn', async () => {
  const session = await hub.createSession(undefined, { settings: { workspace: 'worktree' } })
  const at = `${session.path}/workspace/check`
  expect(await refusal(at, {})).toMatchObject({ status: 409, code: 'check_not_set' })
  await setCheck('true')
  const shared = await hub.createSession(undefined, { settings: { workspace: 'shared' } })
  const path = `${shared.path}/workspace/check`
  expect(await refusal(path, {})).toMatchObject({ status: 409, code: 'workspace_shared' })
  await session.prompt('slow 60')
  await session.feed.until('turn.started')
  expect(await refusal(at, {})).toMatchObject({ status: 409, code: 'turn_running' })
})

test('one is taken; the work of the others is kept under a reference, also what is not committed or still runs', async () => {
  await setCheck('sleep 60')
  const created = await compare('edit made.txt')
  const { sessions } = await done(created)
  const [first, second, third] = [sessions[0]!, sessions[1]!, sessions[2]!]
  placeOf(first).write('by-hand.txt', 'not committed\n')
  await hub.post(`/api/sessions/${third.id}/prompt`, { text: 'slow 60' })
  const path = `/api/comparisons/${third.id}/take`
  expect(await refusal(path, { sessionId: 'other' })).toMatchObject({ code: 'session_not_found' })
  const answer = await hub.post(path, { sessionId: second.id })
  expect(answer.status).toBe(200)
  const taken = (await answer.json()) as Comparison

  expect(taken.taken).toBe(second.id)
  expect(taken.sessions.map(({ archived }) => archived)).toEqual([true, false, true])
  expect(taken.sessions.map(({ status }) => status)).toEqual(['cancelled', 'active', 'cancelled'])
  expect(taken.sessions[1]).toMatchObject({ changes: { files: 1 } })
  const kept = `refs/quayside/kept/${first.id}`
  expect(taken.sessions[0]!.workspace).toMatchObject({ isRemoved: true, kept })
  expect(repo.git('show', `${kept}:by-hand.txt`)).toBe('not committed\n')
  expect(repo.git('show', `refs/quayside/kept/${third.id}:made.txt`)).not.toBe('')
  for (const { workspace } of [first, third]) {
    expect(existsSync(workspace!.path)).toBe(false)
    expect(repo.git('branch', '--list', workspace!.branch!).trim()).toBe('')
  }
  expect(existsSync(placeOf(second).at('made.txt'))).toBe(true)
  const { terminals } = await hub.get<{ terminals: Terminal[] }>('/api/terminals')
  const given = terminals.filter(({ sessionId }) => [first.id, third.id].includes(sessionId ?? ''))
  expect(given).toEqual([])
  expect(await refusal(path, { sessionId: first.id })).toMatchObject({ code: 'workspace_missing' })
  // Idempotent.
  expect((await hub.post(path, { sessionId: second.id })).status).toBe(200)
})

test('a check runs in a trusted repository only, and says so when it is not', async () => {
  await using asking = await startTestHub({ env: { QUAYSIDE_TRUST: 'ask' } })
  const { id, path } = await asking.firstRepo()
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ settings: { check: 'true' } })
  await asking.fetch(`/api/repos/${id}`, { method: 'PATCH', headers, body })
  await asking.post(`/api/repos/${id}/trust`, {})
  const input = { repoId: id, agents: ['demo', 'demo'], text: 'slow 1', settings: UNASKED }
  const created = (await (await asking.post('/api/comparisons', input)).json()) as Comparison
  new TestRepo(path).write('.gemini/settings.json', '{"mcpServers":{}}')
  const checks = async () =>
    (await asking.get<Comparison>(`/api/comparisons/${created.id}`)).sessions.map(
      ({ workspace }) => workspace?.check,
    )
  const refused = { state: 'unknown', reason: expect.stringContaining('Trust this repository') }
  await expect.poll(checks, { timeout: 20_000 }).toMatchObject([refused, refused])
  const again = await asking.post(`/api/sessions/${created.id}/workspace/check`, {})
  expect(again.status).toBe(409)
})
