// The snapshot of each turn: taken in advance, so that a prompt waits for no git, and still the work tree before the turn.
import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readdirSync, readFileSync, renameSync } from 'node:fs'
import type { SessionChanges } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test as everywhere } from 'vitest'
import { TestRepo } from './git-fixture.js'
import { startTestHub, type TestHub, type TestSession } from './test-hub.js'

/** Elsewhere work trees are not watched. */
const test = everywhere.runIf(process.platform === 'linux')
const UNASKED = { permissions: { mode: 'auto', rules: [] } }

let hub: TestHub
let repo: TestRepo
/** Of hubs that earlier files of this worker have used. */
let watchesBefore: number
beforeAll(async () => {
  watchesBefore = countWatches()
  hub = await startTestHub({
    sharesAgent: true,
    env: { AGENT_MAX_SESSIONS: '50', QUAYSIDE_LOG_LEVEL: 'debug' },
  })
  repo = new TestRepo((await hub.firstRepo()).path)
})
afterAll(() => hub[Symbol.asyncDispose]())

/** A session whose next snapshot has been taken in advance. */
async function preparedSession(): Promise<TestSession> {
  const session = await hub.createSession(undefined, { settings: UNASKED })
  await untilPrepared(session)
  return session
}

/** Waits for one more snapshot than at the last call. */
async function untilPrepared({ id }: TestSession): Promise<void> {
  const count = () =>
    hub.log.find('snapshot in advance').filter(({ sessionId }) => sessionId === id).length
  await expect.poll(count).toBeGreaterThan(seen.get(id) ?? 0)
  seen.set(id, count())
}

const seen = new Map<string, number>()

async function changesOfTurn(session: TestSession): Promise<string[]> {
  const changes = await hub.get<SessionChanges>(`${session.path}/changes?since=turn`)
  if (changes.is !== 'known') throw new Error(`the snapshot is ${changes.is}`)
  return changes.files.map(({ status, path }) => `${status} ${path}`)
}

test('turns between which nothing has changed start no process', async () => {
  const session = await preparedSession()
  // Its end takes another snapshot if the start of the hub was still at work.
  await session.run('echo first')
  const started = await processesOf(async () => {
    await session.run('echo one')
    await session.run('echo two')
    await session.run('echo three')
  })
  expect(started).toEqual([])
  expect(await changesOfTurn(session)).toEqual([])
})

test('prompts that follow each other at once start no process either, in a repository with many folders', async () => {
  for (let at = 0; at < 200; at += 1) repo.write(`many/${at}/file.txt`, 'x\n')
  const session = await hub.createSession(undefined, { settings: UNASKED })
  let started = ['']
  // On a busy machine a prompt does not wait until the folders are watched, but one of the next has nothing to wait for.
  for (let turn = 0; turn < 10 && started.length > 0; turn += 1)
    started = await processesOf(() => session.run(`echo ${turn}`))
  expect(started).toEqual([])
  repo.remove('many')
})

test.each<[string, () => void]>([
  ['changes a file', () => repo.write('README.md', `${Math.random()}\n`)],
  ['adds a file in a new folder', () => repo.write('new/folder/file.txt', 'x\n')],
  ['renames a file', () => renameSync(repo.at('new/folder/file.txt'), repo.at('moved.txt'))],
  ['commits', () => repo.commit()],
  ['checks out another branch', () => repo.git('checkout', '-qfb', 'other', 'HEAD^')],
])('a person who %s just before a prompt is not taken for the agent', async (_what, work) => {
  const session = await preparedSession()
  work()
  await session.run('edit made.txt')
  expect(await changesOfTurn(session)).toEqual(['A made.txt'])
  repo.remove('made.txt')
  await untilPrepared(session)
  repo.write('between.txt', `${Math.random()}\n`)
  await session.run('echo nothing')
  expect(await changesOfTurn(session)).toEqual([])
})

test('while nobody prompts, the changes since the latest turn stay the same', async () => {
  const session = await preparedSession()
  await session.run('edit made.txt')
  await untilPrepared(session)
  expect(await changesOfTurn(session)).toEqual(['A made.txt'])
  repo.remove('made.txt')
})

test('queued prompts have their own snapshots', async () => {
  const session = await preparedSession()
  await session.prompt('edit one.txt')
  await session.run('edit two.txt')
  expect(await changesOfTurn(session)).toEqual(['A two.txt'])
  repo.remove('one.txt').remove('two.txt')
})

test('a session that has ended leaves no watch behind', async () => {
  const session = await preparedSession()
  expect(countWatches()).toBeGreaterThan(watchesBefore)
  await session.run('echo one')
  const { sessions } = await hub.get<{ sessions: { id: string }[] }>('/api/sessions?status=active')
  for (const { id } of sessions) await hub.post(`/api/sessions/${id}/complete`, {})
  expect(countWatches()).toBeLessThanOrEqual(watchesBefore)
})

/** The command lines of the processes that are started meanwhile. */
async function processesOf(work: () => Promise<unknown>): Promise<string[]> {
  const started: ChildProcess[] = []
  const note = (message: unknown) => started.push((message as { process: ChildProcess }).process)
  subscribe('child_process', note)
  await work()
  unsubscribe('child_process', note)
  return started.map(({ spawnargs }) => spawnargs.join(' '))
}

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
