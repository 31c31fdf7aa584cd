// Commits of a session that are put on top of another branch: made without a work tree, so that a refusal or a conflict changes nothing.
import { existsSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bringIn } from '../src/workspaces/bring-in.js'
import { TestFolder, type TestRepo } from './git-fixture.js'

let folder: TestFolder
let repo: TestRepo
let place: TestRepo
beforeEach(() => {
  folder = new TestFolder()
  repo = folder.repo('shop').init().write('README.md', '# Shop\n').commit()
  repo.git('config', 'user.name', 'Hub')
  repo.git('config', 'user.email', 'hub@example.com')
  place = folder.repo('place')
  repo.git('worktree', 'add', '--quiet', '-b', 'quayside/one', place.path)
})
afterEach(() => folder[Symbol.dispose]())

function rebase() {
  const places = { repository: repo.path, path: place.path, branch: 'quayside/one', into: 'main' }
  return bringIn({ ...places, how: 'rebase', message: '' })
}

const head = (one: TestRepo) => one.git('rev-parse', 'HEAD').trim()
const status = (one: TestRepo) => one.git('status', '--porcelain').trim()

test('authors and messages stay, changes that the base has are left out, and the branch follows', async () => {
  const author = ['--author=Ada <ada@example.com>', '--date=2020-02-03T04:05:06+01:00']
  const message = '# First\n\nWith a text.'
  place.write('first.txt', 'first\n').git('add', '.')
  place.git('commit', '--quiet', '--message', message, '--cleanup=verbatim', ...author)
  place.write('both.txt', 'both\n').commit()
  place.write('partly.txt', 'base\n').write('both.txt', 'both\nand more\n').commit()
  place.write('last.txt', 'last\n').commit()
  repo.write('both.txt', 'both\n').commit()
  repo.write('partly.txt', 'base\n').commit()
  const { commit } = await rebase()
  expect([head(repo), head(place)]).toEqual([commit, commit])
  expect([status(repo), status(place)]).toEqual(['', ''])
  const show = ['log', '--format=%an|%ae|%aI|%cn|%B', '--', 'first.txt']
  const written = `Ada|ada@example.com|2020-02-03T04:05:06+01:00|Hub|${message}`
  expect(repo.git(...show).trim()).toBe(written)
  const subjects = (name: string) =>
    repo.git('log', '--oneline', '--', name).trim().split('\n').length
  expect(['both.txt', 'partly.txt', 'last.txt'].map(subjects)).toEqual([2, 1, 1])
  // A second time has nothing to do.
  expect(await rebase()).toMatchObject({ commit })
})

test('a branch whose commits the base has follows the base', async () => {
  repo.write('meanwhile.txt', 'meanwhile\n').commit()
  const { commit } = await rebase()
  expect([head(repo), head(place)]).toEqual([commit, commit])
  expect([status(repo), status(place)]).toEqual(['', ''])
})

test('a target that refuses the commits leaves the branch of the session as it was', async () => {
  place.write('added.txt', 'added\n').commit()
  repo.write('meanwhile.txt', 'meanwhile\n').commit()
  repo.write('added.txt', 'in the way\n')
  const before = [head(repo), head(place)]
  await expect(rebase()).rejects.toMatchObject({ code: 'workspace_dirty' })
  expect([head(repo), head(place)]).toEqual(before)
  expect(status(place)).toBe('')
  rmSync(repo.at('added.txt'))
  await rebase()
  expect(existsSync(repo.at('added.txt'))).toBe(true)
})

test('a conflict in a later commit changes nothing and names its files', async () => {
  place.write('fine.txt', 'fine\n').commit()
  place.write('README.md', '# Of the session\n').commit()
  repo.write('README.md', '# Of a person\n').commit()
  const before = [head(repo), head(place)]
  const conflict = { code: 'merge_conflict', details: { paths: ['README.md'] } }
  await expect(rebase()).rejects.toMatchObject(conflict)
  expect([head(repo), head(place)]).toEqual(before)
  expect([status(repo), status(place)]).toEqual(['', ''])
})

test('commits that were brought in without their branch, by a crash in between, are brought in once', async () => {
  place.write('added.txt', 'added\n').commit()
  repo.write('meanwhile.txt', 'meanwhile\n').commit()
  const before = head(place)
  const { commit } = await rebase()
  place.git('reset', '--quiet', '--hard', before)
  expect(await rebase()).toMatchObject({ commit })
  expect([head(repo), head(place)]).toEqual([commit, commit])
})
