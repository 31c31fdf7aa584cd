// Work trees of unusual repositories, and of repositories that go away: each works or is refused with the reason, and nothing is lost.
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ErrorBody, Repo, SessionChanges, WorkspaceResult } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestFolder, TestRepo } from './git-fixture.js'
import { startTestHub, type TestHub, type TestSession } from './test-hub.js'

const SETTINGS = { permissions: { mode: 'auto', rules: [] }, workspace: 'worktree' }

let hub: TestHub
/** Outside of the hub's root folders. */
let outside: TestFolder
beforeAll(async () => {
  outside = new TestFolder()
  hub = await startTestHub({ sharesAgent: true, env: { AGENT_MAX_SESSIONS: '50' } })
})
afterAll(async () => {
  await hub[Symbol.asyncDispose]()
  outside[Symbol.dispose]()
})

function newRepo(name: string): TestRepo {
  return named(new TestRepo(join(hub.folder, 'workspace', name)).init()).write('a.txt', 'a\n')
}

/** The hub commits as the person. */
function named(repo: TestRepo): TestRepo {
  repo.git('config', 'user.name', 'Test')
  repo.git('config', 'user.email', 'test@example.com')
  return repo
}

async function create(repo: TestRepo, more: object = {}): Promise<TestSession> {
  const { id: repoId } = await add(repo.path)
  return hub.createSession(undefined, { repoId, settings: SETTINGS, ...more })
}

async function add(path: string): Promise<Repo> {
  const response = await hub.post('/api/repos', { path })
  expect(response.status, await response.clone().text()).toBeLessThan(300)
  return (await response.json()) as Repo
}

function placeOf({ summary }: TestSession): TestRepo {
  return new TestRepo(summary.workspace!.path)
}

async function act(session: TestSession, body: object): Promise<WorkspaceResult> {
  const response = await hub.post(`${session.path}/workspace`, body)
  const answer = await response.json()
  expect(response.status, JSON.stringify(answer)).toBe(200)
  return answer as WorkspaceResult
}

async function refused(request: Promise<Response>) {
  const response = await request
  const { error } = (await response.json()) as ErrorBody
  return { status: response.status, code: error.code, message: error.message }
}

async function changed(session: TestSession): Promise<string[]> {
  const changes = await hub.get<SessionChanges>(`${session.path}/changes`)
  if (changes.is !== 'known') throw new Error(changes.is)
  return changes.files.map(({ path }) => path)
}

/** From the first edit to the base. */
async function expectUsable(session: TestSession, base: TestRepo): Promise<void> {
  await session.run('edit made.txt')
  expect(await changed(session)).toEqual(['made.txt'])
  await act(session, { action: 'commit', message: 'Made' })
  await act(session, { action: 'merge' })
  expect(existsSync(base.at('made.txt'))).toBe(true)
  expect(base.git('status', '--porcelain')).toBe('')
  expect((await act(session, { action: 'discard' })).kept).toBeUndefined()
  expect(base.git('worktree', 'list')).not.toContain(placeOf(session).path)
}

function withSubmodule(name: string): TestRepo {
  const library = outside.repo(`${name}-library`).init().write('lib.txt', 'lib\n').commit()
  const repo = newRepo(name).commit()
  repo.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', library.path, 'lib')
  return repo.commit()
}

test('submodules are empty in a work tree, which works otherwise', async () => {
  const repo = withSubmodule('with-submodule')
  const session = await create(repo)
  expect(readdirSync(placeOf(session).at('lib'))).toEqual([])
  await expectUsable(session, repo)
})

test('a submodule with commits that are in no remote is not discarded', async () => {
  const repo = withSubmodule('with-work-in-submodule')
  const session = await create(repo)
  const place = placeOf(session)
  place.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init')
  const library = named(new TestRepo(place.at('lib')))
  library.write('more.txt', 'more\n').commit()
  const discard = () => hub.post(`${session.path}/workspace`, { action: 'discard' })
  const reason = { code: 'workspace_dirty', message: expect.stringContaining('submodules') }
  expect(await refused(discard())).toMatchObject({ status: 409, ...reason })
  library.git('push', '--quiet', 'origin', 'HEAD:refs/heads/pushed')
  library.write('dirty.txt', 'not committed\n')
  expect(await refused(discard())).toMatchObject({ status: 409, ...reason })
  // The removal of a session does not ask: the folder stays.
  expect((await hub.fetch(`${session.path}?purge=true`, { method: 'DELETE' })).status).toBe(200)
  expect(readFileSync(library.at('dirty.txt'), 'utf8')).toBe('not committed\n')
})

test('a work tree of a sparse checkout is sparse', async () => {
  const repo = newRepo('sparse').write('in/a.txt', 'a\n').write('out/b.txt', 'b\n').commit()
  repo.git('sparse-checkout', 'set', 'in')
  expect(existsSync(repo.at('out'))).toBe(false)
  const session = await create(repo)
  expect(existsSync(placeOf(session).at('in/a.txt'))).toBe(true)
  expect(existsSync(placeOf(session).at('out'))).toBe(false)
  expect(placeOf(session).git('status', '--porcelain')).toBe('')
  await expectUsable(session, repo)
  expect(repo.git('show', 'HEAD:out/b.txt')).toBe('b\n')
})

test('files of Git LFS are their pointers, and no change', async () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n'
  const repo = newRepo('with-lfs').write('.gitattributes', '*.bin filter=lfs -text\n')
  repo.write('big.bin', pointer).commit()
  repo.git('config', 'filter.lfs.clean', 'cat')
  repo.git('config', 'filter.lfs.smudge', 'echo downloaded')
  const session = await create(repo)
  expect(readFileSync(placeOf(session).at('big.bin'), 'utf8')).toBe(pointer)
  await expectUsable(session, repo)
})

test('a repository that is a work tree itself, of a bare one, has work trees', async () => {
  const bare = outside.repo('store.git')
  newRepo('origin').commit().git('clone', '--quiet', '--bare', '.', bare.path)
  const path = join(hub.folder, 'workspace', 'of-bare')
  bare.git('worktree', 'add', '--quiet', '-b', 'work', path)
  const repo = named(new TestRepo(path))
  const session = await create(repo)
  expect(session.summary.workspace!.base).toBe('work')
  await expectUsable(session, repo)
})

test('the work tree of a bare repository that a crash left is removed, and its changes are kept', async () => {
  const first = await startTestHub()
  const bare = outside.repo('crashed.git')
  newRepo('crashed-origin').commit().git('clone', '--quiet', '--bare', '.', bare.path)
  const orphan = new TestRepo(join(first.folder, 'data/worktrees/orphan/shop'))
  bare.git('worktree', 'add', '-q', '-b', 'quayside/orphan', orphan.path)
  orphan.write('half.txt', 'half done\n')
  await first.hub.stop()
  await using again = await startTestHub({ folder: first.folder })
  await expect.poll(() => existsSync(join(again.folder, 'data/worktrees/orphan'))).toBe(false)
  expect(bare.git('show', 'refs/quayside/kept/orphan:half.txt')).toBe('half done\n')
  expect(bare.git('branch', '--list', 'quayside/orphan')).toBe('')
})

test('a bare repository has no files to work on', async () => {
  const bare = new TestRepo(join(hub.folder, 'workspace', 'bare.git'))
  mkdirSync(bare.path)
  bare.git('init', '--quiet', '--bare')
  const answer = await refused(hub.post('/api/repos', { path: bare.path }))
  expect(answer).toMatchObject({ status: 404, code: 'repo_not_found' })
})

test('a branch below the wanted name, and one in its way, are avoided or named', async () => {
  const repo = newRepo('branches').commit()
  repo.git('branch', 'quayside/fix/more')
  const { summary } = await create(repo, { title: 'Fix' })
  expect(summary.workspace!.branch).toBe('quayside/fix-2')
  const other = newRepo('branch-in-the-way').commit()
  other.git('branch', 'quayside')
  const { id: repoId } = await add(other.path)
  const answer = await refused(hub.post('/api/sessions', { repoId, settings: SETTINGS }))
  expect(answer).toMatchObject({ status: 502, code: 'git_failed' })
  expect(answer.message).toContain("'refs/heads/quayside' exists")
  expect(other.git('worktree', 'list').trim().split('\n')).toHaveLength(1)
})

test('while the repository is moved away its sessions say so, and nothing is lost', async () => {
  const repo = newRepo('moved').commit()
  const [session, removed] = [await create(repo), await create(repo)]
  for (const one of [session, removed]) placeOf(one).write('half.txt', 'half done\n')
  const elsewhere = `${outside.path}/moved`
  renameSync(repo.path, elsewhere)
  const gone = { status: 404, code: 'repo_not_found', message: expect.stringContaining('moved') }
  for (const action of ['commit', 'merge', 'discard'])
    expect(await refused(hub.post(`${session.path}/workspace`, { action }))).toEqual(gone)
  expect(await refused(hub.post(`${session.path}/fork`, {}))).toMatchObject({ status: 404 })
  expect((await hub.fetch(`${removed.path}?purge=true`, { method: 'DELETE' })).status).toBe(200)
  for (const one of [session, removed])
    expect(readFileSync(placeOf(one).at('half.txt'), 'utf8')).toBe('half done\n')
  renameSync(elsewhere, repo.path)
  const { kept } = await act(session, { action: 'discard' })
  expect(repo.git('show', `${kept}:half.txt`)).toBe('half done\n')
})

test('a repository that is deleted leaves the files of its sessions', async () => {
  const repo = newRepo('deleted').commit()
  const session = await create(repo)
  placeOf(session).write('half.txt', 'half done\n')
  rmSync(repo.path, { recursive: true })
  expect((await hub.fetch(`${session.path}?purge=true`, { method: 'DELETE' })).status).toBe(200)
  expect(readFileSync(placeOf(session).at('half.txt'), 'utf8')).toBe('half done\n')
})

test('a work tree that a crash left without a session is removed at the next start, and its changes are kept', async () => {
  const first = await startTestHub()
  const place = new TestRepo((await first.firstRepo()).path)
  const orphan = new TestRepo(join(first.folder, 'data/worktrees/orphan/shop-api'))
  place.git('worktree', 'add', '-q', '-b', 'quayside/orphan', orphan.path)
  orphan.write('half.txt', 'half done\n')
  await first.hub.stop()
  await using again = await startTestHub({ folder: first.folder })
  await expect.poll(() => existsSync(join(again.folder, 'data/worktrees/orphan'))).toBe(false)
  expect(place.git('show', 'refs/quayside/kept/orphan:half.txt')).toBe('half done\n')
  expect(place.git('branch', '--list', 'quayside/orphan')).toBe('')
})
