// The watch of a work tree: it notices every change that git would see, also a moment before it is asked, and says so when it cannot.
import fs, {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  utimesSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import pino from 'pino'
import { expect, test as everywhere } from 'vitest'
import { TreeWatches } from '../src/repos/watch/tree-watches.js'
import { TestFolder, TestRepo } from './git-fixture.js'

/** Elsewhere work trees are not watched. */
const test = everywhere.runIf(process.platform === 'linux')
const LOG = pino({ level: 'silent' })

function startRepo(folder: TestFolder): TestRepo {
  const repo = folder.repo('repo').init()
  repo.write('a.txt', 'a\n').write('src/deep/b.txt', 'b\n').write('.gitignore', 'out/\n*.log\n')
  return repo.commit().write('out/bundle.js', 'x\n')
}

/** Watches the repository before the work, and asks right after it. */
async function isNoticed(repo: TestRepo, work: () => void): Promise<boolean> {
  using watch = new TreeWatches(LOG).open(repo.path, () => {})
  const mark = await watch.cover()
  if (mark === undefined) throw new Error('the repository is not watched')
  expect(await watch.isUnchangedSince(mark)).toBe(true)
  work()
  return !(await watch.isUnchangedSince(mark))
}

test.each<[string, (repo: TestRepo) => void]>([
  ['a changed file', (repo) => repo.write('src/deep/b.txt', 'B\n')],
  ['a new file', (repo) => repo.write('src/deep/new.txt', 'new\n')],
  ['a file in a new folder', (repo) => repo.write('one/two/new.txt', 'new\n')],
  ['a removed file', (repo) => repo.remove('a.txt')],
  ['a renamed file', (repo) => renameSync(repo.at('a.txt'), repo.at('src/a.txt'))],
  ['a renamed folder', (repo) => renameSync(repo.at('src'), repo.at('lib'))],
  ['another mode', (repo) => chmodSync(repo.at('a.txt'), 0o755)],
  ['a commit', (repo) => repo.git('commit', '--quiet', '--allow-empty', '-m', 'more')],
  ['another branch', (repo) => repo.git('checkout', '--quiet', '-b', 'topic/one')],
  ['a staged file', (repo) => repo.git('add', '--force', 'out/bundle.js')],
  ['an ignored pattern', (repo) => repo.write('.git/info/exclude', 'a.txt\n')],
  ['another folder in its place', (repo) => replace(repo.path)],
])('%s is noticed at once', async (_what, work) => {
  using folder = new TestFolder()
  const repo = startRepo(folder).write('.git/info/exclude', '')
  expect(await isNoticed(repo, () => work(repo))).toBe(true)
})

function replace(path: string): void {
  renameSync(path, `${path}-before`)
  fs.cpSync(`${path}-before`, path, { recursive: true })
}

test('writes into ignored folders and fetches are no changes', async () => {
  using folder = new TestFolder()
  const repo = startRepo(folder)
  const work = () => repo.write('out/more/bundle.js', 'y\n').write('.git/FETCH_HEAD', 'x\n')
  expect(await isNoticed(repo, work)).toBe(false)
})

test('a tree is still known to be unchanged when the event loop is blocked meanwhile, as by many prompts at once', async () => {
  using folder = new TestFolder()
  using watch = new TreeWatches(LOG).open(startRepo(folder).path, () => {})
  const mark = (await watch.cover())!
  const isUnchanged = watch.isUnchangedSince(mark)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150)
  expect(await isUnchanged).toBe(true)
})

test('folders that appear, are replaced or are no longer ignored are watched from the next snapshot on', async () => {
  using folder = new TestFolder()
  const repo = startRepo(folder)
  using watch = new TreeWatches(LOG).open(repo.path, () => {})
  const noticed = async (work: () => void) => {
    const mark = await watch.cover()
    work()
    return mark !== undefined && !(await watch.isUnchangedSince(mark))
  }
  expect(await noticed(() => mkdirSync(repo.at('empty/inner'), { recursive: true }))).toBe(true)
  expect(await noticed(() => repo.write('empty/inner/new.txt', 'new\n'))).toBe(true)
  repo.remove('empty').write('empty/inner/other.txt', 'other\n')
  expect(await noticed(() => repo.write('empty/inner/other.txt', 'more\n'))).toBe(true)
  expect(await noticed(() => repo.write('out/bundle.js', 'y\n'))).toBe(false)
  repo.write('.gitignore', '*.log\n')
  expect(await noticed(() => repo.write('out/bundle.js', 'z\n'))).toBe(true)
  repo.write('.gitignore', 'out/\n')
  repo.git('add', '--force', 'out/bundle.js')
  expect(await noticed(() => repo.write('out/bundle.js', 'tracked\n'))).toBe(true)
  replace(repo.path)
  expect(await noticed(() => repo.write('a.txt', 'in the new folder\n'))).toBe(true)
})

test('a commit in a submodule, and one in a linked work tree, are noticed; files of the submodule are not', async () => {
  using folder = new TestFolder()
  folder.repo('library').init().write('x', 'x\n').commit()
  const repo = startRepo(folder)
  const local = ['-c', 'protocol.file.allow=always']
  repo.git(...local, 'submodule', '--quiet', 'add', join(folder.path, 'library'), 'library')
  repo.commit()
  const library = new TestRepo(repo.at('library')).write('in/y', 'y\n').commit()
  expect(await isNoticed(repo, () => library.write('in/y', 'dirty\n'))).toBe(false)
  expect(await isNoticed(repo, () => library.commit())).toBe(true)
  repo.git('worktree', 'add', '--quiet', join(folder.path, 'linked'))
  const linked = folder.repo('linked')
  const empty = ['commit', '--quiet', '--allow-empty', '-m', 'more']
  expect(await isNoticed(linked, () => linked.git(...empty))).toBe(true)
})

test('events that the kernel may have dropped count as a change, also of other repositories', async () => {
  using folder = new TestFolder()
  const repo = startRepo(folder)
  const other = folder.repo('other').init().write('a.txt', 'a\n').write('b.txt', 'b\n').commit()
  const watches = new TreeWatches(LOG)
  using watch = watches.open(repo.path, () => {})
  using otherWatch = watches.open(other.path, () => {})
  await otherWatch.cover()
  const mark = await watch.cover()
  // Equal events in a row would be joined.
  for (let time = 1; time < 2_100; time++)
    for (const name of ['a.txt', 'b.txt']) utimesSync(other.at(name), time, time)
  expect(await watch.isUnchangedSince(mark!)).toBe(false)
  const next = await watch.cover()
  repo.write('src/deep/b.txt', 'B\n')
  expect(await watch.isUnchangedSince(next!)).toBe(false)
})

test('a work tree with too many folders is not watched', async () => {
  using folder = new TestFolder()
  const repo = startRepo(folder)
  for (let count = 0; count <= 5_000; count++) mkdirSync(repo.at(`${count}`))
  await expectUnwatched(repo)
})

test('a system without free watches is not relied on', async () => {
  using folder = new TestFolder()
  const repo = startRepo(folder)
  const restore = limitWatches(3)
  await expectUnwatched(repo).finally(restore)
})

async function expectUnwatched(repo: TestRepo): Promise<void> {
  const before = countWatches()
  {
    using watch = new TreeWatches(LOG).open(repo.path, () => {})
    expect(await watch.cover()).toBeUndefined()
    // The folder by which the order of events is known is still watched.
    expect(countWatches()).toBe(before + 1)
  }
  expect(countWatches()).toBe(before)
}

test('sessions share a watch, and the last one closes it', async () => {
  using folder = new TestFolder()
  const repo = startRepo(folder)
  const before = countWatches()
  const watches = new TreeWatches(LOG)
  const [one, two] = [watches.open(repo.path, () => {}), watches.open(repo.path, () => {})]
  const mark = await one.cover()
  expect(await two.cover()).toBe(mark)
  one[Symbol.dispose]()
  expect(await two.isUnchangedSince(mark!)).toBe(true)
  const covering = two.cover()
  two[Symbol.dispose]()
  await covering
  expect(countWatches()).toBe(before)
})

/** The watches of this process, as the kernel counts them. */
function countWatches(): number {
  const files = readdirSync('/proc/self/fdinfo').map((name) => {
    try {
      return readFileSync(`/proc/self/fdinfo/${name}`, 'utf8')
    } catch {
      return ''
    }
  })
  return files.join('').split('inotify wd:').length - 1
}

/** As if the user had no watches left after so many. */
function limitWatches(count: number): () => void {
  const original = fs.watch
  let left = count
  const limited = (...args: Parameters<typeof fs.watch>) => {
    if (left-- > 0) return original(...args)
    throw Object.assign(new Error('System limit for number of file watchers reached'), {
      code: 'ENOSPC',
    })
  }
  fs.watch = limited as typeof fs.watch
  syncBuiltinESMExports()
  return () => {
    fs.watch = original
    syncBuiltinESMExports()
  }
}
