// The changes of a session since it began, in every kind of work tree; reading them does not change the repository.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readDiff, readStatus } from '../src/repos/repo-status.js'
import type { ChangesOptions } from '../src/repos/git/tree-changes.js'
import { changesSince, takeSnapshot } from '../src/repos/git/working-tree-snapshot.js'
import { TestFolder, TestRepo } from './git-fixture.js'

/** Takes a snapshot, lets the session work, and returns the changes. */
async function changesOf(repo: TestRepo, work: () => void, input: ChangesOptions = {}) {
  const folder = `${repo.path}-snapshot`
  const snapshot = JSON.parse(JSON.stringify(await takeSnapshot(repo.path, { folder })))
  work()
  const changes = await changesSince(repo.path, snapshot, { folder, ...input })
  if (changes.is !== 'known') throw new Error('the snapshot is gone')
  return changes
}

function letters({ files }: { files: readonly { status: string; path: string }[] }): string[] {
  return files.map(({ status, path }) => `${status} ${path}`)
}

function startRepo(folder: TestFolder): TestRepo {
  const repo = folder.repo('repo').init()
  repo.write('a.txt', 'one\ntwo\nthree\n').write('sub/b.txt', 'b\n').write('.gitignore', '*.log\n')
  return repo.write('long.txt', 'a line that is long enough to be known again\n'.repeat(5)).commit()
}

test('in a clean tree: changed, added, deleted and renamed files, with lines and patches', async () => {
  using folder = new TestFolder()
  const repo = startRepo(folder)

  const changes = await changesOf(
    repo,
    () => {
      repo
        .write('a.txt', 'one\n2\nthree\nfour\n')
        .write('new/file.txt', 'new\n')
        .remove('sub/b.txt')
      renameSync(repo.at('long.txt'), repo.at('moved.txt'))
      appendFileSync(repo.at('moved.txt'), 'and more\n')
    },
    { withPatches: true },
  )

  expect(letters(changes)).toEqual(['M a.txt', 'R moved.txt', 'A new/file.txt', 'D sub/b.txt'])
  expect(changes).toMatchObject({ total: 4, added: 4, removed: 2, isTruncated: false })
  const { stdout } = spawnSync('git', ['hash-object', repo.at('a.txt')], { encoding: 'utf8' })
  expect(changes.files[0]?.blob).toBe(stdout.trim())
  expect(changes.files[0]).toMatchObject({ kind: 'text', added: 2, removed: 1 })
  expect(changes.files[0]?.patch).toContain('@@ -1,3 +1,4 @@\n one\n-two\n+2\n three\n+four\n')
  expect(changes.files[1]).toMatchObject({ oldPath: 'long.txt', added: 1, removed: 0 })
  expect(changes.files[1]?.patch).toContain('rename from long.txt\nrename to moved.txt\n')
})

test('in a dirty tree only what came after the start counts', async () => {
  using folder = new TestFolder()
  const repo = startRepo(folder)
  repo.write('a.txt', 'dirty\n').write('mine.txt', 'mine\n').write('staged.txt', 'staged\n')
  repo.git('add', 'staged.txt')

  const changes = await changesOf(
    repo,
    () => repo.write('a.txt', 'dirty\nand more\n').write('mine.txt', 'MINE\n').remove('sub/b.txt'),
    { withPatches: true },
  )

  expect(letters(changes)).toEqual(['M a.txt', 'M mine.txt', 'D sub/b.txt'])
  expect(changes.files[0]?.patch).toContain(' dirty\n+and more\n')
  expect(changes.files[0]?.patch).not.toContain('-one')
})

test('an unchanged repository has no changes, also after a commit of earlier changes', async () => {
  using folder = new TestFolder()
  const repo = startRepo(folder).write('a.txt', 'dirty\n').write('mine.txt', 'mine\n')
  expect(letters(await changesOf(repo, () => repo.commit()))).toEqual([])
  expect(letters(await changesOf(repo, () => utimesSync(repo.at('a.txt'), 1, 1)))).toEqual([])
})

test('a commit by the agent is a change all the same', async () => {
  using folder = new TestFolder()
  const repo = startRepo(folder)
  const changes = await changesOf(repo, () => repo.write('a.txt', 'done\n').commit())
  expect(letters(changes)).toEqual(['M a.txt'])
})

test('a change in the same second and of the same size is seen', async () => {
  using folder = new TestFolder()
  const repo = startRepo(folder).write('a.txt', 'AAAA\n').commit()
  expect(letters(await changesOf(repo, () => repo.write('a.txt', 'BBBB\n')))).toEqual(['M a.txt'])
})

test('ignored files are not listed', async () => {
  using folder = new TestFolder()
  const repo = startRepo(folder).write('.git/info/exclude', 'private/\n')
  const changes = await changesOf(repo, () =>
    repo.write('debug.log', 'x\n').write('private/x', 'x\n').write('seen.txt', 'x\n'),
  )
  expect(letters(changes)).toEqual(['A seen.txt'])
})

test('binary and large files are summarised', async () => {
  using folder = new TestFolder()
  const repo = startRepo(folder).write('old-large.txt', 'x\n'.repeat(3_000_000))
  const changes = await changesOf(
    repo,
    () => {
      repo.write('picture.png', Buffer.from([0x89, 0x50, 0, 1, 2, 3]))
      repo.write('large.txt', 'y\n'.repeat(3_000_000)).write('medium.txt', 'z\n'.repeat(1_000_000))
    },
    { withPatches: true },
  )
  const blob: unknown = expect.stringMatching(/^[0-9a-f]{40}$/)
  expect(changes.files).toEqual([
    { path: 'large.txt', status: 'A', kind: 'large' },
    { path: 'medium.txt', status: 'A', kind: 'text', blob, added: 1_000_000, removed: 0 },
    { path: 'picture.png', status: 'A', kind: 'binary', blob },
  ])
  const later = await changesOf(repo, () => {
    repo.write('large.txt', 'small now\n').remove('old-large.txt')
  })
  expect(letters(later)).toEqual(['M large.txt', 'D old-large.txt'])
})

test('the patch of a new text file of 50,000 lines is read by its path', async () => {
  using folder = new TestFolder()
  const repo = startRepo(folder)
  const text = Array.from({ length: 50_000 }, (_, at) => `line ${at + 1} ${'.'.repeat(40)}\n`).join(
    '',
  )
  const work = () => repo.write('data.csv', text)
  const changes = await changesOf(repo, work, { path: 'data.csv', withPatches: true })
  expect(changes.files).toMatchObject([{ kind: 'text', added: 50_000, removed: 0 }])
  expect(changes.files[0]?.patch).toContain('\n+line 50000 ')
})

test('a large file that is tracked is changed, not deleted', async () => {
  using folder = new TestFolder()
  const repo = startRepo(folder).write('large.txt', 'x\n'.repeat(3_000_000)).commit()
  const changes = await changesOf(repo, () => repo.write('large.txt', 'y\n'.repeat(3_000_001)))
  expect(changes.files).toEqual([{ path: 'large.txt', status: 'M', kind: 'large' }])
})

test('a repository without commits works', async () => {
  using folder = new TestFolder()
  const repo = folder.repo('repo').init().write('a.txt', 'a\n')
  const changes = await changesOf(repo, () => repo.write('a.txt', 'b\n').write('b.txt', 'b\n'))
  expect(letters(changes)).toEqual(['M a.txt', 'A b.txt'])
  expect(letters(await readDiff(repo.path))).toEqual(['A a.txt', 'A b.txt'])
  expect(await readStatus(repo.path)).toMatchObject({
    branch: { name: 'main' },
    counts: { untracked: 2, staged: 0 },
  })
})

test('a submodule is its commit, and nothing inside it', async () => {
  using folder = new TestFolder()
  folder.repo('library').init().write('x', 'x\n').commit()
  const repo = startRepo(folder)
  const local = ['-c', 'protocol.file.allow=always']
  repo.git(...local, 'submodule', '--quiet', 'add', join(folder.path, 'library'), 'library')
  repo.commit()
  const library = new TestRepo(repo.at('library'))

  expect(letters(await changesOf(repo, () => library.write('x', 'dirty\n')))).toEqual([])
  const changes = await changesOf(repo, () => library.commit(), { withPatches: true })
  expect(changes.files).toMatchObject([{ path: 'library', status: 'M', kind: 'submodule' }])
  expect(changes.files[0]?.patch).toContain('+Subproject commit ')
})

test('a session in a folder of the repository can ask for that folder alone', async () => {
  using folder = new TestFolder()
  const repo = startRepo(folder)
  const work = () =>
    repo.write('sub/b.txt', 'B\n').write('sub/c[1].txt', 'c\n').write('subway', 's\n')
  expect(letters(await changesOf(repo, work, { path: 'sub' }))).toEqual([
    'M sub/b.txt',
    'A sub/c[1].txt',
  ])
  expect(letters(await readDiff(repo.path, { path: 'sub/c[1].txt' }))).toEqual(['A sub/c[1].txt'])
})

test('odd names and kinds: bytes, dashes, line breaks, links, modes, a file that becomes a folder', async () => {
  using folder = new TestFolder()
  const repo = startRepo(folder)
  const odd = ['-x', 'a\nb', 'quo"te', 'tab\tname', 'größe', ' blank ']
  const changes = await changesOf(
    repo,
    () => {
      for (const name of odd) repo.write(name, 'odd\n')
      writeFileSync(Buffer.concat([Buffer.from(repo.at('byte-')), Buffer.of(0xff)]), 'odd\n')
      repo.remove('sub/b.txt').write('sub/b.txt/inside', 'x\n').remove('a.txt')
      symlinkSync('long.txt', repo.at('a.txt'))
      chmodSync(repo.at('long.txt'), 0o755)
    },
    { withPatches: true },
  )
  const byte = 'byte-\ufffd'
  const expected = [...odd, byte].map((name) => `A ${name}`)
  expected.push('M a.txt', 'M long.txt', 'D sub/b.txt', 'A sub/b.txt/inside')
  expect(letters(changes).toSorted()).toEqual(expected.toSorted())
  const bare = changes.files.filter(({ patch }) => patch === undefined)
  expect(bare.map(({ path }) => path)).toEqual([byte])
  expect(changes.files.find(({ path }) => path === '-x')?.patch).toContain('+odd')
})

test('files in a conflict, and line ends that git converts, are compared as git would', async () => {
  using folder = new TestFolder()
  const repo = startRepo(folder).write('crlf.txt', 'a\r\nb\r\n').commit()
  repo.git('config', 'core.autocrlf', 'input')
  repo.git('checkout', '--quiet', '-b', 'other')
  repo.write('a.txt', 'other\n').commit().git('checkout', '--quiet', 'main')
  repo.write('a.txt', 'main\n').commit().tryGit('merge', 'other')
  expect((await readStatus(repo.path)).counts.conflicted).toBe(1)

  const changes = await changesOf(repo, () => {
    repo.write('a.txt', 'solved\n').write('crlf.txt', 'a\r\nB\r\n')
  })

  expect(letters(changes)).toEqual(['M a.txt', 'M crlf.txt'])
  expect(changes.files[1]).toMatchObject({ added: 1, removed: 1 })
})

test('a linked work tree and a path with a colon work', async () => {
  using folder = new TestFolder()
  const main = folder.repo('main: "one"').init().write('a.txt', 'a\n').commit()
  main.git('worktree', 'add', '--quiet', join(folder.path, 'linked'))
  const linked = folder.repo('linked')
  const changes = await changesOf(linked, () => linked.write('a.txt', 'b\n'))
  expect(letters(changes)).toEqual(['M a.txt'])
  expect((await readStatus(linked.path)).branch.name).toBe('linked')
})

test('a SHA-256 repository works', async () => {
  using folder = new TestFolder()
  const repo = folder.repo('repo')
  folder.repo('.').git('init', '--quiet', '--object-format=sha256', 'repo')
  repo.write('a.txt', 'a\n').commit()
  expect(letters(await changesOf(repo, () => repo.write('a.txt', 'b\n')))).toEqual(['M a.txt'])
})

test('a missing snapshot is reported', async () => {
  using folder = new TestFolder()
  const repo = startRepo(folder).write('a.txt', 'dirty\n')
  const snapshotFolder = join(folder.path, 'snapshot')
  const snapshot = await takeSnapshot(repo.path, { folder: snapshotFolder })
  rmSync(snapshotFolder, { recursive: true })
  expect(await changesSince(repo.path, snapshot, { folder: snapshotFolder })).toEqual({
    is: 'gone',
  })
})

test('status has the branch, how far it is ahead, and the letters of files', async () => {
  using folder = new TestFolder()
  const origin = startRepo(folder)
  folder.repo('.').git('clone', '--quiet', origin.path, 'clone')
  const repo = folder.repo('clone').write('c.txt', 'c\n').commit()
  repo.git('mv', 'long.txt', 'moved.txt')
  repo.write('a.txt', 'changed\n').write('untracked.txt', 'u\n')

  const status = await readStatus(repo.path)

  const branch = { name: 'main', upstream: 'origin/main', ahead: 1, behind: 0 }
  expect(status).toMatchObject({ branch, counts: { staged: 1, unstaged: 1, untracked: 1 } })
  expect(status.files).toEqual([
    { path: 'a.txt', staged: '.', unstaged: 'M' },
    { path: 'moved.txt', oldPath: 'long.txt', staged: 'R', unstaged: '.' },
    { path: 'untracked.txt', staged: '?', unstaged: '?' },
  ])
})

test('the repository is not written to', async () => {
  using folder = new TestFolder()
  const repo = startRepo(folder).write('a.txt', 'dirty\n').write('mine.txt', 'mine\n')
  utimesSync(repo.at('long.txt'), 1, 1)
  const before = describe(repo.at('.git'))

  await readStatus(repo.path)
  await readDiff(repo.path)
  await changesOf(repo, () => repo.write('mine.txt', 'changed\n'))

  expect(describe(repo.at('.git'))).toEqual(before)
})

/** Every file and folder with modification time and content. */
function describe(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const file = join(path, name)
      const stats = lstatSync(file)
      const content = stats.isFile() ? readFileSync(file) : ''
      return `${name} ${stats.mtimeMs} ${createHash('sha256').update(content).digest('hex')}`
    })
}
