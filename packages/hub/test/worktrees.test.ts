// A session with a work tree of its own: made from a base, used for everything that has a place, and removed when the session cannot start.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type {
  ErrorBody,
  RepoFiles,
  SessionChanges,
  SessionSummary,
  Terminal,
  WorkspaceResult,
} from '@quayside/protocol'
import type { CleaningPlan } from '@quayside/protocol/schemas'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { TestRepo } from './git-fixture.js'
import { EXTENSIONS, startTestHub, type TestHub, type TestSession } from './test-hub.js'

const UNASKED = { permissions: { mode: 'auto', rules: [] }, workspace: 'worktree' }

let hub: TestHub
let repo: TestRepo
beforeAll(async () => {
  const env = { AGENT_MAX_SESSIONS: '50', QUAYSIDE_EXTENSIONS: EXTENSIONS }
  hub = await startTestHub({ sharesAgent: true, env })
  repo = new TestRepo((await hub.firstRepo()).path)
})
afterAll(() => hub[Symbol.asyncDispose]())

function create(settings: object = {}, more: object = {}): Promise<TestSession> {
  return hub.createSession(undefined, { ...more, settings: { ...UNASKED, ...settings } })
}

async function refusal(settings: object) {
  const { id: repoId } = await hub.firstRepo()
  const response = await hub.post('/api/sessions', {
    repoId,
    settings: { ...UNASKED, ...settings },
  })
  const { error } = (await response.json()) as ErrorBody
  return { status: response.status, code: error.code, message: error.message }
}

function placeOf({ summary }: TestSession): TestRepo {
  return new TestRepo(summary.workspace!.path)
}

async function changed(session: TestSession): Promise<string[]> {
  const changes = await hub.get<SessionChanges>(`${session.path}/changes`)
  if (changes.is !== 'known') throw new Error(changes.is)
  return changes.files.map(({ path }) => path)
}

test('two sessions edit one repository at the same time without mixing', async () => {
  const first = await create({}, { title: 'Fix the login' })
  const second = await create({}, { title: 'Fix the login' })
  expect(first.summary.workspace).toMatchObject({
    kind: 'worktree',
    branch: 'quayside/fix-the-login',
    base: 'main',
  })
  expect(second.summary.workspace!.branch).toBe('quayside/fix-the-login-2')

  await Promise.all([first.run('edit one.txt'), second.run('edit two.txt')])

  expect([await changed(first), await changed(second)]).toEqual([['one.txt'], ['two.txt']])
  expect(existsSync(placeOf(first).at('one.txt'))).toBe(true)
  expect(repo.git('status', '--porcelain').trim()).toBe('')
  expect(placeOf(first).git('status', '--porcelain').trim()).toBe('?? one.txt')
  expect(placeOf(first).path.startsWith(join(hub.folder, 'data'))).toBe(true)
})

test('files, terminals and undo of a session are those of its work tree', async () => {
  const session = await create()
  const { turnId } = (await session.run('edit made.txt')).data
  const { repoId } = session.summary
  const query = `sessionId=${session.id}`
  const { files } = await hub.get<RepoFiles>(`/api/repos/${repoId}/files?q=made&${query}`)
  expect(files).toEqual(['made.txt'])
  expect((await hub.fetch(`/api/repos/${repoId}/file?path=made.txt&${query}`)).status).toBe(200)
  expect((await hub.fetch(`/api/repos/${repoId}/file?path=made.txt`)).status).not.toBe(200)
  const opened = await hub.post('/api/terminals', { sessionId: session.id, cols: 80, rows: 24 })
  const terminal = (await opened.json()) as Terminal
  expect(terminal.cwd).toBe(placeOf(session).path)
  await hub.fetch(`/api/terminals/${terminal.id}`, { method: 'DELETE' })
  await hub.post(`${session.path}/undo`, { turnId })
  expect(existsSync(placeOf(session).at('made.txt'))).toBe(false)
})

test('the base is the current branch, another branch, or the files as they are now', async () => {
  repo.git('branch', 'release')
  repo.write('later.txt', 'later\n').commit()
  repo.write('later.txt', 'changed\n').write('new/untracked.txt', 'untracked\n')

  const current = placeOf(await create())
  expect(readFileSync(current.at('later.txt'), 'utf8')).toBe('later\n')
  const release = await create({ base: 'release' })
  expect(release.summary.workspace!.base).toBe('release')
  expect(existsSync(placeOf(release).at('later.txt'))).toBe(false)
  const asItIs = placeOf(await create({ base: '.' }))
  expect(readFileSync(asItIs.at('later.txt'), 'utf8')).toBe('changed\n')
  expect(asItIs.git('status', '--porcelain', '-uall').trim().split('\n')).toEqual([
    'M later.txt',
    '?? new/untracked.txt',
  ])
  expect(await refusal({ base: 'nowhere' })).toMatchObject({
    status: 422,
    code: 'invalid_settings',
    message: expect.stringContaining('there is no branch nowhere'),
  })
  repo.git('checkout', '--', '.')
  rmSync(repo.at('new'), { recursive: true })
})

test('no hook and no filter of the repository runs', async () => {
  const ran = join(hub.folder, 'ran')
  const hooks = repo.at('.git/hooks')
  mkdirSync(hooks, { recursive: true })
  for (const name of ['post-checkout', 'reference-transaction', 'post-index-change'])
    writeFileSync(join(hooks, name), `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 })
  repo.git('config', 'filter.trap.smudge', `touch ${ran}; cat`)
  repo.git('config', 'core.fsmonitor', `touch ${ran}`)
  repo.write('.gitattributes', '*.md filter=trap\n')
  repo.git('-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', 'add', '-A')
  repo.git('-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', 'commit', '-qm', 'trap')
  rmSync(ran, { force: true })
  const session = await create()
  expect(existsSync(placeOf(session).at('README.md'))).toBe(true)
  expect(existsSync(ran)).toBe(false)
  repo.git('config', '--unset', 'core.fsmonitor')
  rmSync(hooks, { recursive: true })
})

test('a session that cannot start leaves no work tree and no branch', async () => {
  const branches = repo.git('branch', '--list')
  const worktrees = repo.git('worktree', 'list')
  const folders = readdirSync(join(hub.folder, 'data/worktrees'))
  const { id: repoId } = await hub.firstRepo()
  const input = { repoId, extensionId: 'dying', settings: UNASKED }
  const refused = (await (await hub.post('/api/sessions', input)).json()) as ErrorBody
  expect(refused.error.code).toBe('agent_failed')
  expect(repo.git('branch', '--list')).toBe(branches)
  expect(repo.git('worktree', 'list')).toBe(worktrees)
  expect(readdirSync(join(hub.folder, 'data/worktrees'))).toEqual(folders)
})

test('the place of a session stays: it cannot be changed, is resumed, and its loss is named', async () => {
  const session = await create()
  const changed = await hub.fetch(session.path, {
    method: 'PATCH',
    body: JSON.stringify({ settings: { workspace: 'shared' } }),
    headers: { 'content-type': 'application/json' },
  })
  expect(changed.status).toBe(422)
  await hub.fetch(session.path, { method: 'DELETE' })
  const resumed = await hub.post(`${session.path}/resume`, {})
  expect(((await resumed.json()) as SessionSummary).workspace).toEqual(session.summary.workspace)
  await hub.fetch(session.path, { method: 'DELETE' })
  rmSync(placeOf(session).path, { recursive: true })
  const lost = await hub.post(`${session.path}/resume`, {})
  expect(lost.status).toBe(409)
  expect(await lost.json()).toMatchObject({ error: { code: 'workspace_missing' } })
})

async function act(session: TestSession, body: object): Promise<WorkspaceResult> {
  const response = await hub.post(`${session.path}/workspace`, body)
  const answer = await response.json()
  expect(response.status, JSON.stringify(answer)).toBe(200)
  return answer as WorkspaceResult
}

async function refused(session: TestSession, body: object) {
  const response = await hub.post(`${session.path}/workspace`, body)
  const { error } = (await response.json()) as ErrorBody
  return { status: response.status, code: error.code, paths: error.details?.['paths'] }
}

describe('to the merge', () => {
  beforeAll(() => {
    repo.git('config', 'user.name', 'Test')
    repo.git('config', 'user.email', 'test@example.com')
  })

  test.each(['merge', 'squash', 'rebase'])(
    'the work is committed, and %s brings it into the checked out base',
    async (action) => {
      const session = await create({}, { title: `By ${action}` })
      const name = `${action}.txt`
      await session.run(`edit ${name}`)
      const dirty = { status: 409, code: 'workspace_dirty', paths: [name] }
      expect(await refused(session, { action })).toEqual(dirty)
      await act(session, { action: 'commit', message: 'Add a file' })
      repo.write(`other-${action}.txt`, 'meanwhile\n').commit()
      const { commit } = await act(session, { action })
      expect(repo.git('rev-parse', 'main').trim()).toBe(commit)
      expect(existsSync(repo.at(name))).toBe(true)
      expect(repo.git('status', '--porcelain').trim()).toBe('')
      const parents = repo.git('log', '-1', '--format=%P').trim().split(' ').length
      expect(parents).toBe(action === 'merge' ? 2 : 1)
    },
  )

  test.each(['merge', 'squash', 'rebase'])(
    'a conflict names its files, and %s changes nothing',
    async (action) => {
      const session = await create()
      placeOf(session).write('README.md', `of the session ${action}\n`)
      await act(session, { action: 'commit' })
      repo.write('README.md', `of a person ${action}\n`).commit()
      const before = repo.git('rev-parse', 'main')
      const conflict = { status: 409, code: 'merge_conflict', paths: ['README.md'] }
      expect(await refused(session, { action })).toEqual(conflict)
      expect(repo.git('rev-parse', 'main')).toBe(before)
      for (const place of [repo, placeOf(session)])
        expect(place.git('status', '--porcelain').trim()).toBe('')
    },
  )

  test('a dirty target is refused with its files; a base that is not checked out is moved', async () => {
    const session = await create()
    placeOf(session).write('added.txt', 'added\n')
    await act(session, { action: 'commit' })
    repo.write('README.md', 'not committed\n')
    const dirty = { status: 409, code: 'workspace_dirty', paths: ['README.md'] }
    expect(await refused(session, { action: 'merge' })).toEqual(dirty)
    repo.git('branch', 'elsewhere')
    const { commit } = await act(session, { action: 'squash', into: 'elsewhere' })
    expect(repo.git('rev-parse', 'elsewhere').trim()).toBe(commit)
    expect(readFileSync(repo.at('README.md'), 'utf8')).toBe('not committed\n')
    repo.git('checkout', '--', '.')
    repo.write('added.txt', 'in the way\n')
    expect(await refused(session, { action: 'merge' })).toEqual({ ...dirty, paths: ['added.txt'] })
    rmSync(repo.at('added.txt'))
  })

  test('discarded work is kept under a reference, also what was not committed', async () => {
    const session = await create({}, { title: 'Given up' })
    placeOf(session).write('half.txt', 'half done\n')
    const { kept, workspace } = await act(session, { action: 'discard' })
    expect(workspace.isRemoved).toBe(true)
    expect(existsSync(workspace.path)).toBe(false)
    expect(repo.git('branch', '--list', 'quayside/given-up').trim()).toBe('')
    expect(repo.git('worktree', 'list')).not.toContain(workspace.path)
    expect(repo.git('show', `${kept}:half.txt`)).toBe('half done\n')
    const summary = await session.summaryNow()
    expect(summary).toMatchObject({ status: 'completed', workspace: { isRemoved: true } })
    expect((await hub.post(`${session.path}/resume`, {})).status).toBe(409)
  })

  test('a session that is removed keeps what is in no other branch', async () => {
    const [dirty, clean] = [await create(), await create()]
    placeOf(dirty).write('done.txt', 'done\n').commit()
    placeOf(dirty).write('half.txt', 'half done\n')
    const unsaved = ({ path }: TestSession) => hub.get(`${path}/workspace/unsaved`)
    const keptAs = `refs/quayside/kept/${dirty.id}`
    expect(await unsaved(dirty)).toEqual({ files: ['half.txt'], commits: 1, keptAs })
    expect(await unsaved(clean)).toEqual({ files: [], commits: 0 })
    for (const { path } of [dirty, clean])
      expect((await hub.fetch(`${path}?purge=true`, { method: 'DELETE' })).status).toBe(200)
    expect(repo.git('show', `refs/quayside/kept/${dirty.id}:half.txt`)).toBe('half done\n')
    expect(repo.git('for-each-ref', `refs/quayside/kept/${clean.id}`)).toBe('')
    for (const session of [dirty, clean]) expect(existsSync(placeOf(session).path)).toBe(false)
  })

  test('cleaning up names the sessions whose work is kept, and keeps it', async () => {
    const [dirty, clean] = [await create(), await create()]
    placeOf(dirty).write('half.txt', 'half done\n')
    const given = await create()
    placeOf(given).write('given.txt', 'given up\n')
    const { kept } = await act(given, { action: 'discard' })
    for (const { path } of [dirty, clean]) await hub.post(`${path}/complete`, {})
    const planned = await hub.post('/api/storage/plan', { olderThanDays: 0 })
    const { sessions } = (await planned.json()) as CleaningPlan
    const unsavedOf = ({ id }: TestSession) => sessions.find((one) => one.id === id)?.unsaved
    expect([unsavedOf(dirty), unsavedOf(clean)]).toEqual([true, undefined])
    expect(sessions.find(({ id }) => id === given.id)).toMatchObject({ discarded: kept })
    expect(repo.git('for-each-ref', kept!)).toContain(kept)
    await hub.post('/api/storage/clean', { olderThanDays: 0 })
    // Discarded work is kept for as long as its session.
    expect(repo.git('for-each-ref', kept!)).toBe('')
    expect(existsSync(placeOf(dirty).path)).toBe(false)
    expect(repo.git('show', `refs/quayside/kept/${dirty.id}:half.txt`)).toBe('half done\n')
  })

  test('a pushed branch has a draft of its pull request where gh is installed, and it is opened', async () => {
    const [remote, bin] = [join(hub.folder, 'remote.git'), join(hub.folder, 'bin')]
    repo.git('init', '--quiet', '--bare', remote)
    repo.git('remote', 'add', 'origin', remote)
    mkdirSync(bin)
    // Prints its arguments, as one line each.
    writeFileSync(join(bin, 'gh'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 })
    vi.stubEnv('PATH', `${bin}:${process.env['PATH']}`)
    onTestFinished(() => void vi.unstubAllEnvs())
    const session = await create({}, { title: "It's done" })
    placeOf(session).write('pushed.txt', 'pushed\n')
    await act(session, { action: 'commit', message: 'Add a file' })
    const { pullRequest } = await act(session, { action: 'push' })
    expect(pullRequest).toEqual({
      title: "It's done",
      body: '- Add a file',
      command: `gh pr create --head quayside/it-s-done --base main --title 'It'\\''s done' --body '- Add a file'`,
    })
    const opened = await act(session, { action: 'pullRequest', title: 'Another; title' })
    const branches = ['--head', 'quayside/it-s-done', '--base', 'main']
    const texts = ['--title', 'Another; title', '--body', '- Add a file']
    expect(opened.output.split('\n')).toEqual(['pr', 'create', ...branches, ...texts])
  })

  test('a branch without new commits merges', async () => {
    const session = await create()
    const before = repo.git('rev-parse', 'main').trim()
    for (const action of ['merge', 'squash', 'rebase'])
      expect((await act(session, { action })).commit).toBe(before)
  })

  test('only remotes of the repository are pushed to', async () => {
    const session = await create()
    for (const remote of ['--receive-pack=touch ran', 'ext::sh -c touch% ran', '../elsewhere'])
      expect(await refused(session, { action: 'push', remote })).toMatchObject({ status: 422 })
  })

  test('a session in the shared work tree has nothing to merge', async () => {
    const session = await create({ workspace: 'shared' })
    const shared = { status: 409, code: 'workspace_shared' }
    expect(await refused(session, { action: 'merge' })).toMatchObject(shared)
  })
})
