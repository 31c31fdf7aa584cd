// Finds repositories in real folders of every kind.
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { createLog } from '../src/log.js'
import { Repos } from '../src/repos/repos.js'
import { RootFolders } from '../src/repos/root-folders.js'
import { findBranch, findRepositories } from '../src/repos/scan.js'
import { RepoRows } from '../src/store/sqlite/repo-rows.js'
import { TestFolder } from './git-fixture.js'
import { TestDatabase } from './store-fixture.js'

async function found(folder: TestFolder): Promise<string[]> {
  return (await findRepositories(folder.path)).map((path) => relative(folder.path, path))
}

test('repositories, those inside others, and submodules are found', async () => {
  using folder = new TestFolder()
  folder.repo('one').init()
  folder.repo('one/packages/inner').init()
  folder.repo('deep/down/two').init()
  folder.repo('one/node_modules/dependency').init()
  folder.repo('.hidden/three').init()
  mkdirSync(join(folder.path, 'plain'))
  expect(await found(folder)).toEqual(['deep/down/two', 'one', 'one/packages/inner'])
})

test('the root itself can be a repository', async () => {
  using folder = new TestFolder()
  folder.repo('.').init()
  expect(await findRepositories(folder.path)).toEqual([folder.path])
})

test('a linked work tree is found, with its own branch', async () => {
  using folder = new TestFolder()
  const main = folder.repo('main').init().write('a', 'a\n').commit()
  main.git('worktree', 'add', '--quiet', '-b', 'feature', join(folder.path, 'linked'))
  expect(await found(folder)).toEqual(['linked', 'main'])
  expect(await findBranch(join(folder.path, 'linked'))).toBe('feature')
  expect(await findBranch(main.path)).toBe('main')
})

test('a hub that stops while it looks for repositories stops without a complaint', async () => {
  using folder = new TestFolder()
  folder.repo('one').init()
  const log = createLog('silent')
  using store = new TestDatabase()
  const roots = new RootFolders({ configured: [folder.path], dataDir: folder.path })
  const repos = new Repos({
    store: new RepoRows(store.db),
    roots,
    defaultWorkspace: 'shared',
    log,
  })
  const scan = repos.scan()
  repos.close()
  store.db.close()
  await expect(scan).resolves.toBeUndefined()
})

test('without a branch the commit is reported', async () => {
  using folder = new TestFolder()
  const repo = folder.repo('repo').init().write('a', 'a\n').commit()
  repo.git('checkout', '--quiet', '--detach')
  expect(await findBranch(repo.path)).toBe(repo.git('rev-parse', 'HEAD').slice(0, 12))
})

test('a bare repository is none, and is not looked into', async () => {
  using folder = new TestFolder()
  mkdirSync(join(folder.path, 'store.git/inner'), { recursive: true })
  folder.repo('store.git').git('init', '--bare', '--quiet')
  folder.repo('store.git/inner/repo').init()
  expect(await found(folder)).toEqual([])
})

test('broken ones are none', async () => {
  using folder = new TestFolder()
  const loose = folder.repo('.')
  loose.write('pointer/.git', 'gitdir: ../nowhere\n').write('garbage/.git', 'garbage\n')
  loose.write('empty/.git/config', '').write('huge/.git', `gitdir: ${'x'.repeat(100_000)}\n`)
  expect(await found(folder)).toEqual([])
})

test('links are not followed, so a loop does not matter', async () => {
  using folder = new TestFolder()
  const repo = folder.repo('workspace/repo').init()
  symlinkSync('..', repo.at('loop'))
  symlinkSync(repo.path, join(folder.path, 'workspace/again'))
  expect(await found(folder)).toEqual(['workspace/repo'])
})

test('a folder that may not be read is passed over', async () => {
  using folder = new TestFolder()
  const closed = folder.repo('closed/inner').init()
  folder.repo('open').init()
  chmodSync(join(closed.path, '..'), 0o000)
  try {
    // Root can read everything.
    const inner = process.getuid?.() === 0 ? ['closed/inner'] : []
    expect(await found(folder)).toEqual([...inner, 'open'])
  } finally {
    chmodSync(join(closed.path, '..'), 0o755)
  }
})

test('scanning many folders does not block the hub', async () => {
  using folder = new TestFolder()
  for (let at = 0; at < 1_000; at++)
    mkdirSync(join(folder.path, `g${at % 10}/h${at}`), { recursive: true })
  folder.repo('g1/h1/repo').init()
  let turns = 0
  const ticking = setInterval(() => (turns += 1), 0)

  expect(await found(folder)).toEqual(['g1/h1/repo'])

  clearInterval(ticking)
  expect(turns).toBeGreaterThan(0)
})
