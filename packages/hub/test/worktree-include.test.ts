// The files that `.worktreeinclude` names are in a new work tree, although git does not track them.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { includeFiles } from '../src/workspaces/include-files.js'
import { TestFolder, TestRepo } from './git-fixture.js'
import { startTestHub } from './test-hub.js'

test('a new work tree has the files that git ignores and .worktreeinclude names, and no others', async () => {
  await using hub = await startTestHub()
  const repo = new TestRepo((await hub.firstRepo()).path)
  repo.write('.gitignore', '.env*\ncache/\n').write('.worktreeinclude', '.env*\n!.env.example\n')
  repo.commit()
  repo.write('.env', 'SECRET=1\n', 0o600).write('.env.example', 'SECRET=\n')
  repo.write('app/.env.local', 'local\n').write('cache/big', 'cache\n')
  const settings = { workspace: 'worktree' }
  const session = await hub.createSession(undefined, { settings })
  const place = new TestRepo(session.summary.workspace!.path)
  expect(readFileSync(place.at('.env'), 'utf8')).toBe('SECRET=1\n')
  expect(statSync(place.at('.env')).mode & 0o777).toBe(0o600)
  expect(readFileSync(place.at('app/.env.local'), 'utf8')).toBe('local\n')
  expect(existsSync(place.at('.env.example'))).toBe(false)
  expect(existsSync(place.at('cache'))).toBe(false)
  expect(place.git('status', '--porcelain').trim()).toBe('')

  symlinkSync('.env', repo.at('.env.linked'))
  const incomplete = await hub.createSession(undefined, { settings })
  const { data } = await incomplete.feed.until('notice')
  expect(data).toMatchObject({ severity: 'warning', code: 'workspace_incomplete' })
  expect(data.message).toContain('1 file that git does not track could not be copied')
})

test('the settings of the repository name such files too, before .worktreeinclude', async () => {
  await using hub = await startTestHub()
  const { id, path } = await hub.firstRepo()
  const repo = new TestRepo(path)
  repo.write('.gitignore', '.env\nlocal/\n').write('.worktreeinclude', '.env\n').commit()
  repo.write('.env', 'SECRET=1\n').write('local/a.json', '{}\n').write('local/b.json', '{}\n')
  const include = '# Of this machine\r\nlocal/*\r\n!local/b.json\r\n!.env\r\n'
  const placeOf = async (settings: object) => {
    const [body, headers] = [JSON.stringify({ settings }), { 'content-type': 'application/json' }]
    await hub.fetch(`/api/repos/${id}`, { method: 'PATCH', body, headers })
    const session = await hub.createSession(undefined, { settings: { workspace: 'worktree' } })
    return new TestRepo(session.summary.workspace!.path)
  }
  const named = await placeOf({ include })
  expect(readFileSync(named.at('local/a.json'), 'utf8')).toBe('{}\n')
  for (const name of ['local/b.json', '.env']) expect(existsSync(named.at(name))).toBe(false)
  const unnamed = await placeOf({ include: null })
  expect(existsSync(unnamed.at('local'))).toBe(false)
  expect(existsSync(unnamed.at('.env'))).toBe(true)
})

test('files beyond the limit are counted', async () => {
  using folder = new TestFolder()
  const repo = folder.repo('shop').init()
  for (const name of ['a', 'b', 'c', 'd', 'e']) repo.write(`many/${name}`, name)
  const target = folder.repo('target')
  mkdirSync(target.path)
  const places = { repository: repo.path, workTree: target.path }
  const warning = await includeFiles({ ...places, patterns: 'many/', maxFiles: 2 })
  expect(warning).toMatch(/^3 files that git does not track/)
  expect(readdirSync(target.at('many'))).toEqual(['a', 'b'])
})

test('links are followed neither in the repository nor in the work tree', async () => {
  using folder = new TestFolder()
  const outside = join(folder.path, 'outside')
  mkdirSync(outside)
  writeFileSync(join(outside, 'secret'), 'secret\n')
  const repo = folder.repo('shop').init().write('.worktreeinclude', '*\n')
  symlinkSync(outside, repo.at('linked'))
  symlinkSync(join(outside, 'secret'), repo.at('file'))
  repo.write('dir/copied', 'copied\n')
  const target = folder.repo('target')
  mkdirSync(target.path)
  symlinkSync(outside, target.at('dir'))
  expect(await includeFiles({ repository: repo.path, workTree: target.path })).toContain('3 files')
  expect(existsSync(join(outside, 'copied'))).toBe(false)
  for (const name of ['linked', 'file']) expect(existsSync(target.at(name))).toBe(false)
})
