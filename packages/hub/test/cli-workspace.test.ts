// `quayside run --worktree` and `quayside workspace`: from a work tree of the session's own to the commit in the base.
import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { CliFolder } from './cli-folder.js'
import { TestRepo } from './git-fixture.js'

let folder: CliFolder
let repo: TestRepo
beforeAll(async () => {
  folder = new CliFolder()
  repo = new TestRepo(folder.repo)
  repo.git('config', 'user.name', 'Test')
  repo.git('config', 'user.email', 'test@example.com')
  repo.git('init', '--quiet', '--bare', `${folder.path}/remote`)
  repo.git('remote', 'add', 'origin', `${folder.path}/remote`)
  // Prints its arguments, as one line each.
  repo.write('../../bin/gh', '#!/bin/sh\nprintf "%s\\n" "$@"\n', 0o755)
  vi.stubEnv('PATH', `${folder.path}/bin:${process.env['PATH']}`)
  await folder.startHub()
})
afterAll(() => {
  vi.unstubAllEnvs()
  return folder[Symbol.asyncDispose]()
})

function edit(file: string, ...flags: readonly string[]) {
  return folder.run(['run', `edit ${file}`, '--worktree', '--allow', 'edits', ...flags])
}

function act(action: string, ...flags: readonly string[]) {
  return folder.run(['workspace', action, '-', ...flags])
}

test('a prompt in a work tree of its own leaves the repository alone until its commits are brought in', async () => {
  expect(await edit('one.txt')).toMatchObject({ code: 0 })
  expect(repo.git('status', '--porcelain')).toBe('')
  expect(await act('squash')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/uncommitted changes.*\n {2}one\.txt\n/i),
  })

  const committed = await act('commit', '-m', 'Add one')
  expect(committed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[0-9a-f]{40}\n$/) })
  const draft = 'Draft of the pull request:\n  edit one.txt\n  - Add one\nOpen it with: '
  expect(await act('push')).toMatchObject({ code: 0, stderr: expect.stringContaining(draft) })
  const opened = await act('pr', '--title', 'One')
  expect(opened.stderr).toContain('--title\nOne\n--body\n- Add one')
  const pushed = repo.git('ls-remote', 'origin', 'refs/heads/quayside/*')
  expect(pushed).toContain(committed.stdout.trim())

  const squashed = await act('squash', '-m', 'One as one commit')
  expect(squashed.stdout.trim()).toBe(repo.git('rev-parse', 'main').trim())
  expect(repo.git('log', '-1', '--format=%s').trim()).toBe('One as one commit')
  expect(existsSync(repo.at('one.txt'))).toBe(true)

  for (const prompt of ['edit two.txt', 'edit three.txt'])
    expect(await folder.run(['run', prompt, '--session', '-'])).toMatchObject({ code: 0 })
  const drafted = await act('commit')
  const text = repo.git('log', '-1', '--format=%B', drafted.stdout.trim()).trim()
  expect(text).toBe('edit two.txt\n\n- edit two.txt\n- edit three.txt')
})

test('a conflict names its files, and a discarded work tree is kept after a question', async () => {
  repo.git('branch', 'release')
  await edit('README.md', '--base', 'release')
  await act('commit')
  repo.git('checkout', '-q', 'release')
  repo.write('README.md', '# Somebody else\n').commit()
  expect(await act('merge', '--into', 'release')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/conflict.*\n {2}README\.md\n/i),
  })
  expect(readFileSync(repo.at('README.md'), 'utf8')).toBe('# Somebody else\n')

  const screen = folder.start(['workspace', 'discard', '-'], { isTerminal: true })
  await screen.until('Remove the work tree and the branch')
  screen.type('y\n')
  const { code, stderr } = await screen.ended
  const kept = /Kept as (refs\/\S+)\./.exec(stderr)?.[1]
  expect(code).toBe(0)
  expect(repo.git('show', `${kept}:README.md`)).not.toBe('# Somebody else\n')
  expect(repo.git('worktree', 'list').trim().split('\n')).toHaveLength(2)
})

test('a session that is removed names the work that is kept', async () => {
  await edit('kept.txt')
  const { code, stderr } = await folder.run(['sessions', 'rm', '-', '--yes'])
  expect([code, stderr]).toEqual([0, expect.stringContaining('uncommitted changes in 1 file.')])
  const reference = /They are kept as (\S+)\.\n/.exec(stderr)?.[1] ?? ''
  expect(repo.git('show', `${reference}:kept.txt`)).toContain('Edited')
})

test('a base that does not exist, and a session in the shared work tree, are refused with the reason', async () => {
  expect(await edit('two.txt', '--base', 'nowhere')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there is no branch nowhere'),
  })
  await folder.run(['run', 'echo shared'])
  expect(await act('merge')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('work tree'),
  })
})
