import { afterEach, expect, test, vi } from 'vitest'
import { TestFolder } from '../../test/git-fixture.js'
import { RepoFiles } from './repo-files.js'

afterEach(() => {
  vi.useRealTimers()
})

test('a clock that is set back does not keep an old list of files', async () => {
  using folder = new TestFolder()
  const repo = folder.repo('repo').init().write('a.ts', '')
  const files = new RepoFiles()
  const find = async () => (await files.find(repo.path, '', 10)).files
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  expect(await find()).toEqual(['a.ts'])
  repo.write('b.ts', '')
  vi.advanceTimersByTime(60_000)
  vi.setSystemTime(Date.now() - 5 * 3_600_000)
  expect(await find()).toEqual(['a.ts', 'b.ts'])
})
