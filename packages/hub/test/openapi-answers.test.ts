// A walk through the whole API of a real hub: every response is validated against its schema in the table of commands.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CheckRun, Comparison } from '@quayside/protocol'
import { ROUTES } from '@quayside/protocol/schemas'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { walkHubs } from './openapi-hubs.js'
import { expectToFit, Walk } from './openapi-walk.js'
import { PushService } from './push-service.js'
import {
  EXTENSIONS,
  makeRepository,
  startTestHub,
  type TestHub,
  type TestSession,
} from './test-hub.js'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

let hub: TestHub
let pushService: PushService
let walk: Walk
beforeAll(async () => {
  pushService = await PushService.start()
  const QUAYSIDE_PUSH_ORIGINS = pushService.origin
  const env = { AGENT_MAX_SESSIONS: '50', QUAYSIDE_EXTENSIONS: EXTENSIONS, QUAYSIDE_PUSH_ORIGINS }
  hub = await startTestHub({ env })
  walk = new Walk(hub)
})
afterAll(async () => {
  await hub[Symbol.asyncDispose]()
  await pushService[Symbol.asyncDispose]()
})

const ask: Walk['ask'] = (...request) => walk.ask(...request)

async function busySession(): Promise<{ session: TestSession; waiting: string[] }> {
  const session = await hub.createSession()
  await session.prompt('slow 60')
  const waiting: string[] = []
  for (const text of ['echo a', 'echo b', 'echo c'])
    waiting.push((await session.prompt(text)).turnId)
  return { session, waiting }
}

test('the hub itself', async () => {
  await ask('getHealth', '/api/health')
  await ask('getMe', '/api/me')
  const made = await ask('createLoginCode', '/api/login-codes', { body: {} })
  const { code, id: codeId } = made as { code: string; id: string }
  await ask('login', '/api/login', { body: { code } })
  await ask('getLoginCode', `/api/login-codes/${codeId}`)
  await ask('withdrawLoginCode', `/api/login-codes/${codeId}`)
  await ask('logout', '/api/logout')
  await ask('getReach', '/api/reach')
  await ask('listHubs', '/api/hubs')
  await ask('addHost', '/api/hosts/studio.example.com', { body: { isKept: false } })
  await ask('removeHost', '/api/hosts/studio.example.com')
  const input = { body: { name: 'ci', scope: 'read' } }
  const created = (await ask('createToken', '/api/tokens', input)) as { id: string; token: string }
  await ask('listTokens', '/api/tokens')
  const { id, token } = created
  const headers = { authorization: `Bearer ${token}` }
  const at = '/api/push/subscription'
  await ask('getPushKey', '/api/push')
  await ask('subscribeToPush', at, { headers, body: pushService.newDevice().subscription() })
  await ask('testPush', '/api/push/test', { headers })
  await ask('unsubscribeFromPush', at, { headers })
  await ask('revokeToken', `/api/tokens/${id}`)
  await ask('getOpenApi', '/api/openapi.json')
  expect(await ask('getDocs', '/api/docs')).toMatch(/^<!doctype html>/)
  await ask('getDocsStyle', '/api/docs.css')
  expect(await ask('getMetrics', '/metrics')).toContain('quayside_info{version=')
  const png = { body: PNG, headers: { 'content-type': 'image/png' } }
  const { url } = (await ask('uploadMedia', '/api/media', png)) as { url: string }
  await ask('getMedia', url)
})

test('repositories and agents', async () => {
  await ask('scanRepos', '/api/repos/scan')
  await ask('listRepos', '/api/repos')
  const { id, path } = await hub.firstRepo()
  await ask('addRepo', '/api/repos', { body: { path } })
  writeFileSync(join(path, 'README.md'), '# Shop\n\nA large shop.\n')
  writeFileSync(join(path, 'new.txt'), 'new\n')
  await ask('getRepo', `/api/repos/${id}`)
  await ask('changeRepo', `/api/repos/${id}`, { body: { settings: { check: 'npm test' } } })
  await ask('trustRepo', `/api/repos/${id}/trust`, { body: {} })
  const files = await ask('findRepoFiles', `/api/repos/${id}/files?q=read&limit=5`)
  expect(files).toMatchObject({ files: ['README.md'] })
  const file = await ask('readRepoFile', `/api/repos/${id}/file?path=README.md`)
  expect(file).toMatchObject({ path: 'README.md', kind: 'text' })
  const status = await ask('getRepoStatus', `/api/repos/${id}/status`)
  expect(status).toMatchObject({ counts: { unstaged: 1, untracked: 1 } })
  expect(await ask('getRepoDiff', `/api/repos/${id}/diff`)).toMatchObject({ total: 2 })
  await ask('getRepoDiff', `/api/repos/${id}/diff?path=new.txt`)
  await ask('listWorktreesInProgress', `/api/repos/${id}/worktrees`)
  await ask('browse', '/api/browse')
  await ask('browse', `/api/browse?path=${encodeURIComponent(hub.workspace)}`)
  await ask('listExtensions', '/api/extensions')
  await ask('getExtension', '/api/extensions/gemini')
  await ask('getSettingsSchema', '/api/extensions/gemini/settings_schema')
  const settings = { model: 'some-model', GEMINI_API_KEY: 'a-key-for-tests' }
  const settingsAt = '/api/extensions/gemini/settings'
  await ask('changeExtensionSettings', settingsAt, { body: { settings } })
  expect(await ask('getExtensionSettings', settingsAt)).toMatchObject({
    settings: { model: 'some-model', GEMINI_API_KEY: { isSet: true } },
  })
  const own = { name: 'Mine', command: 'mine', args: ['acp'] }
  await ask('putExtension', '/api/extensions/mine', { body: own })
  await ask('reloadExtension', '/api/extensions/mine/reload')
  await ask('removeExtension', '/api/extensions/mine')
  const at = '/api/extensions/signed-out'
  await ask('authenticateExtension', `${at}/authenticate`, { body: { methodId: 'demo-login' } })
  await ask('logoutExtension', `${at}/logout`)
  expect(await ask('probeExtension', '/api/extensions/demo/probe')).toMatchObject({
    state: 'ready',
  })
  const { frames } = (await ask('listWireFrames', '/api/extensions/debug/raw?limit=200')) as {
    frames: unknown[]
  }
  expect(frames.length).toBeGreaterThan(0)
})

test('the life of a session, and everything that can be read of it', async () => {
  const { id: repoId } = await hub.firstRepo()
  const body = { repoId, extensionId: 'demo', title: 'A walk', settings: { cwd: '.' } }
  const { id } = (await ask('createSession', '/api/sessions', { body })) as { id: string }
  const at = `/api/sessions/${id}`
  const feed = await hub.follow(id)
  await ask('prompt', `${at}/prompt`, { body: { text: 'Show me around, please', id: 'tour' } })
  const asked = await feed.until('permission.requested')
  expect(await ask('getSession', at)).toMatchObject({ activity: 'waiting' })
  await ask('getTimeline', `${at}/timeline`)
  await ask('listPermissions', `${at}/permissions`)
  const { permissionId, options } = asked.data
  await ask('answerPermission', `${at}/permissions/${permissionId}`, {
    body: { optionId: options[0]!.optionId },
  })
  await feed.until('turn.ended')
  for (const text of ['image', 'crash']) await ask('prompt', `${at}/prompt`, { body: { text } })
  await feed.until('session.ended')
  await ask('resumeSession', `${at}/resume`, { body: { makeRoom: false } })
  await ask('changeSession', at, { body: { title: 'Walked', pinned: true, archived: false } })
  await ask('completeSession', `${at}/complete`)
  await ask('getSession', at)
  await ask('listSessions', '/api/sessions?status=active,completed&limit=1&archived=any')
  await ask('listSessions', '/api/sessions?q=walked')
  await ask('listMessages', `${at}/messages?since=seq:3`)
  await ask('listMessages', `${at}/messages`)
  await ask('getTimeline', `${at}/timeline?limit=1`)
  await ask('findInSession', `${at}/find?q=a&limit=1`)
  await ask('listEvents', `${at}/events?after=0&limit=1000`)
  await ask('listEvents', `${at}/events`, { headers: { accept: 'text/event-stream' } })
  await ask('getSessionChanges', `${at}/changes`)
  await ask('getSessionChanges', `${at}/changes?since=turn`)
  for (const format of ['jsonl', 'md', 'html'])
    expect(await ask('getTranscript', `${at}/transcript?format=${format}`)).toContain(
      'Show me around',
    )
  await ask('getSessionWire', `${at}/wire?limit=1000`)
  await ask('getSessionWire', `${at}/wire`, { headers: { accept: 'application/x-ndjson' } })
  await ask('listWireFrames', '/api/extensions/debug/raw?format=jsonl')
  expect(await ask('exportSession', `${at}/export`)).toContain('"session.created"')
  expect(await ask('deleteSession', at)).toMatchObject({ status: 'completed' })
  expect(await ask('deleteSession', `${at}?purge=true`)).toMatchObject({ id })
  expect((await hub.fetch(at)).status).toBe(404)
})

test('the work tree', async () => {
  const permissions = { mode: 'auto', rules: [] }
  const session = await hub.createSession(undefined, {
    settings: { workspace: 'worktree', permissions },
  })
  const { turnId } = (await session.run('edit made.txt')).data
  const at = session.path
  await ask('getPrimer', `${at}/primer`)
  await ask('listCheckpoints', `${at}/checkpoints`)
  await ask('undoTurn', `${at}/undo`, { body: { turnId } })
  await ask('redoTurn', `${at}/redo`, { body: {} })
  await ask('forkSession', `${at}/fork`, { body: { turnId } })
  const { repoId } = session.summary
  await ask('changeRepo', `/api/repos/${repoId}`, { body: { settings: { check: 'true' } } })
  const check = (await ask('checkWorkspace', `${at}/workspace/check`)) as CheckRun
  await hub.fetch(`/api/terminals/${check.terminalId}`, { method: 'DELETE' })
  await ask('changeRepo', `/api/repos/${repoId}`, { body: { settings: { check: null } } })
  await ask('changeWorkspace', `${at}/workspace`, { body: { action: 'discard' } })
  const body = {
    repoId,
    agents: ['demo', 'demo'],
    text: 'edit made.txt',
    settings: { permissions },
  }
  const created = (await ask('createComparison', '/api/comparisons', { body })) as Comparison
  await ask('getComparison', `/api/comparisons/${created.id}`)
  await ask('getUnsavedWork', `/api/sessions/${created.id}/workspace/unsaved`)
  await ask('getCommitDraft', `/api/sessions/${created.id}/workspace/draft`)
  const taken = { sessionId: created.sessions[1]?.id }
  await ask('takeSession', `/api/comparisons/${created.id}/take`, { body: taken })
})

test('installations, roots and clones', async () => {
  const terminal = await ask('installExtension', '/api/extensions/missing/install')
  await hub.fetch(`/api/terminals/${(terminal as { id: string }).id}`, { method: 'DELETE' })
  const { path } = await hub.firstRepo()
  const outside = join(hub.folder, 'outside')
  makeRepository(outside)
  await ask('addRepo', '/api/repos', { body: { path: outside, confirmOutsideRoot: true } })
  await ask('listRoots', '/api/roots')
  await ask('removeRoot', `/api/roots?path=${encodeURIComponent(outside)}`)
  const body = { url: `file://${path}`, name: 'copy' }
  const clone = (await ask('startClone', '/api/clones', { body })) as { id: string }
  await ask('listClones', '/api/clones')
  await ask('getClone', `/api/clones/${clone.id}`)
  await ask('cancelClone', `/api/clones/${clone.id}`)
})

test('the queue', async () => {
  const { session, waiting } = await busySession()
  const [a, b, c] = waiting as [string, string, string]
  const at = `${session.path}/queue`
  await ask('getQueue', at)
  await ask('editQueued', `${at}/${b}`, { body: { text: 'echo B' } })
  await ask('editQueued', `${at}/${c}`, { body: { before: a } })
  await ask('removeQueued', `${at}/${a}`)
  expect(await ask('clearQueue', at)).toEqual({ queue: [] })
  expect(await ask('cancelTurn', `${session.path}/cancel`, { body: {} })).toMatchObject({
    activity: 'idle',
  })
})

test('questions and options', async () => {
  const session = await hub.createSession()
  const { modes } = (await session.feed.until('agent.started')).data
  const value = modes!.availableModes.find(({ id }) => id !== modes!.currentModeId)!.id
  await ask('setOption', `${session.path}/options/mode`, { body: { value } })
  await session.prompt('question')
  const { questionId } = (await session.feed.until('question.asked')).data
  await ask('listQuestions', `${session.path}/questions`)
  await ask('getTimeline', `${session.path}/timeline`)
  await ask('answerQuestion', `${session.path}/questions/${questionId}`, {
    body: { action: 'accept', content: { name: 'shop' } },
  })
  await session.feed.until('turn.ended')
  await ask('getTimeline', `${session.path}/timeline`)
})

test('processes', async () => {
  const session = await hub.createSession()
  const { pid } = (await session.feed.until('agent.started')).data
  const running = { pid, extensionId: 'demo', sessionIds: [session.id] }
  expect(await ask('listProcesses', '/api/processes')).toMatchObject({
    processes: expect.arrayContaining([expect.objectContaining(running)]) as unknown[],
  })
  await ask('stopProcess', `/api/processes/${pid}/stop`, { body: {} })
  await session.feed.until('agent.exited')
})

test('terminals', async () => {
  const { id: repoId } = await hub.firstRepo()
  const body = { repoId, command: '/bin/sh', args: ['-i'], cwd: '.', cols: 100, rows: 30 }
  const { id } = (await ask('createTerminal', '/api/terminals', { body })) as { id: string }
  onTestFinished(async () => void (await hub.fetch(`/api/terminals/${id}`, { method: 'DELETE' })))
  expect(await ask('listTerminals', '/api/terminals')).toMatchObject({ terminals: [{ id }] })
  await ask('getTerminal', `/api/terminals/${id}`)
  await ask('closeTerminal', `/api/terminals/${id}`)
})

test('previews', async () => {
  const { path, id: sessionId } = await hub.createSession()
  const at = `${path}/previews`
  await ask('listPreviews', at)
  // Elsewhere there are none.
  if (process.platform !== 'linux') {
    walk.done.add('openPreview')
    return
  }
  const args = ['-e', "require('node:http').createServer().listen(0, '127.0.0.1')"]
  const body = { sessionId, command: process.execPath, args, cols: 80, rows: 24 }
  const { id } = (await (await hub.post('/api/terminals', body)).json()) as { id: string }
  onTestFinished(async () => void (await hub.fetch(`/api/terminals/${id}`, { method: 'DELETE' })))
  const ports = async () => (await hub.get<{ ports: { port: number }[] }>(at)).ports
  await expect.poll(ports).toHaveLength(1)
  const [{ port } = { port: 0 }] = await ports()
  await ask('openPreview', at, { body: { port } })
})

test('the storage', async () => {
  const session = await hub.createSession()
  await session.run('image')
  await hub.post(`${session.path}/complete`, {})
  await ask('getStorage', '/api/storage')
  const body = { maxBytes: 0, olderThanDays: 36_500 }
  const plan = await ask('planCleaning', '/api/storage/plan', { body })
  expect((plan as { sessions: unknown[] }).sessions.length).toBeGreaterThan(0)
  await ask('clean', '/api/storage/clean', { body })
})

test('hubs that share a database', async () => {
  for (const id of await walkHubs()) walk.done.add(id)
})

test('the walk left nothing out', () => {
  const left = ROUTES.map(({ operationId }) => operationId).filter((id) => !walk.done.has(id))
  expect(left).toEqual([])
})

test('a response with a missing or an undocumented field is found', () => {
  const { responses } = ROUTES.find(({ operationId }) => operationId === 'getHealth')!
  const schema = responses[200]!.content!['application/json']!
  const whole = { status: 'ok', version: '1' }
  expect(expectToFit(schema, whole, 'x')).toEqual(whole)
  for (const planted of [{ status: 'ok' }, { ...whole, more: 1 }])
    expect(() => expectToFit(schema, planted, 'x')).toThrow()
})
