// Sessions that share a work tree: each one's changes name the files of the others, and do not count them.
import type { SessionChanges } from '@quayside/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestHub, type TestHub, type TestSession } from './test-hub.js'

let hub: TestHub
let first: TestSession
let second: TestSession
beforeEach(async () => {
  hub = await startTestHub({ sharesAgent: true })
  const settings = { permissions: { mode: 'auto' } }
  first = await hub.createSession(undefined, { title: 'First', settings })
  second = await hub.createSession(undefined, { title: 'Second', settings })
  // A turn counts as the other session's when it begins after the last event of this one.
  for (const { feed } of [first, second])
    await feed.until('session.updated', ({ snapshot }) => snapshot !== undefined)
})
afterEach(() => hub[Symbol.asyncDispose]())

async function changesOf({ path }: TestSession, since = 'session'): Promise<string[]> {
  const found = await hub.get<SessionChanges>(`${path}/changes?since=${since}`)
  if (found.is !== 'known') return [found.is]
  const files = found.files.map((file) =>
    [file.path, ...(file.by ? [file.by.title] : [])].join(' by '),
  )
  const own = found.files.filter(({ by }) => !by)
  expect(own.reduce((sum, { added = 0 }) => sum + added, 0)).toBe(found.added)
  return [`${found.total}:`, ...files.toSorted()]
}

test('a file that another session edited is marked as its own, and not counted', async () => {
  await first.run('edit a.txt')
  expect(await changesOf(first)).toEqual(['1:', 'a.txt'])
  expect(await changesOf(second)).toEqual(['0:', 'a.txt by First'])
  await second.run('edit b.txt')
  expect(await changesOf(first)).toEqual(['1:', 'a.txt', 'b.txt by Second'])
  expect(await changesOf(second)).toEqual(['1:', 'a.txt by First', 'b.txt'])
  expect(await changesOf(second, 'turn')).toEqual(['1:', 'b.txt'])
  expect(await changesOf(first, 'turn')).toEqual(['1:', 'a.txt', 'b.txt by Second'])
})

test('a file that both edited counts for both', async () => {
  await first.run('edit a.txt')
  await second.run('edit a.txt')
  expect(await changesOf(first)).toEqual(['1:', 'a.txt'])
  expect(await changesOf(second)).toEqual(['1:', 'a.txt'])
})

test('a file that a command of another session made is known by its turn', async () => {
  await first.run('run touch made.txt')
  expect(await changesOf(first)).toEqual(['1:', 'made.txt'])
  expect(await changesOf(second)).toEqual(['0:', 'made.txt by First'])
})

test('a file that a command made, and then a command of another session changed, counts for the first', async () => {
  await first.run('run touch made.txt')
  await second.run('run cp README.md made.txt')
  expect(await changesOf(first)).toEqual(['1:', 'made.txt'])
})

test('a file that nobody is known to have written counts', async () => {
  await first.run('run touch made.txt')
  await second.run('run touch other.txt')
  expect(await changesOf(second)).toEqual(['2:', 'made.txt', 'other.txt'])
})
