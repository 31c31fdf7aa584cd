// The repository settings that git is given; a change takes effect at once although settings are cached.
import { appendFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findGitFolder } from '../src/repos/git/git-folder.js'
import { readSettings } from '../src/repos/git/git-settings.js'
import { TestFolder, type TestRepo } from './git-fixture.js'

test('a setting takes effect as soon as it is written, also in an included file', async () => {
  using folder = new TestFolder()
  const repo = folder.repo('one').init()
  expect(await valuesOf(repo)).not.toContain('core.eol lf')
  repo.git('config', 'core.eol', 'lf')
  expect(await valuesOf(repo)).toContain('core.eol lf')
  expect(await valuesOf(repo)).toContain('core.eol lf')

  const included = repo.at('included')
  writeFileSync(included, '[core]\n\tautocrlf = input\n')
  repo.git('config', 'include.path', included)
  expect(await valuesOf(repo)).toContain('core.autocrlf input')
  appendFileSync(included, '[core]\n\tcheckstat = minimal\n')
  expect(await valuesOf(repo)).toContain('core.checkstat minimal')
})

test('repositories do not share what is remembered, and programs are never among it', async () => {
  using folder = new TestFolder()
  const [one, other] = [folder.repo('one').init(), folder.repo('other').init()]
  one.git('config', 'core.eol', 'crlf')
  one.git('config', 'core.fsmonitor', '/bin/false')
  expect(await valuesOf(one)).toContain('core.eol crlf')
  expect(await valuesOf(other)).not.toContain('core.eol crlf')
  expect((await valuesOf(one)).filter((value) => value.includes('fsmonitor'))).toEqual([])
})

async function valuesOf(repo: TestRepo): Promise<string[]> {
  const folder = await findGitFolder(repo.path)
  const { values } = await readSettings(folder!, 'main')
  return values.map(([name, value]) => `${name} ${value}`)
}
