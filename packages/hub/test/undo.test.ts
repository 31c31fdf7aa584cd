// Undo and redo of a turn: its files go back and forth, and nothing else is touched.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Checkpoints, ErrorBody, Restored, SessionChanges } from '@quayside/protocol'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TestRepo } from './git-fixture.js'
import { startTestHub, type TestHub, type TestSession } from './test-hub.js'

const UNASKED = { permissions: { mode: 'auto', rules: [] } }

let hub: TestHub
let repo: TestRepo
let session: TestSession
beforeAll(async () => {
  hub = await startTestHub({ sharesAgent: true, env: { AGENT_MAX_SESSIONS: '50' } })
  repo = new TestRepo((await hub.firstRepo()).path)
})
afterAll(() => hub[Symbol.asyncDispose]())
beforeEach(async () => {
  repo.write('kept.txt', 'kept\n').write('src/code.ts', 'one\n').write('src/old.ts', 'old\n')
  repo.write('.gitignore', 'ignored/\n')
  repo.commit()
  session = await hub.createSession(undefined, { settings: UNASKED })
})

/** A turn in which `work` is done to the files. They are kept when it resolves. */
async function runTurn(work: () => void): Promise<string> {
  const { turnId } = await session.prompt('slow 60')
  await session.feed.until('turn.started', (data) => data.turnId === turnId)
  work()
  await hub.post(`${session.path}/cancel`, {})
  const kept = `{"turnId":"${turnId}","after":`
  await expect.poll(() => readFileSync(checkpointsFile(), 'utf8')).toContain(kept)
  return turnId
}

function checkpointsFile(): string {
  return join(hub.folder, 'data/snapshots', session.id, 'checkpoints.jsonl')
}

async function restore(command: 'undo' | 'redo', body: object): Promise<Restored> {
  const response = await hub.post(`${session.path}/${command}`, body)
  const answer = await response.json()
  expect(response.status, JSON.stringify(answer)).toBe(200)
  return answer as Restored
}

async function refusal(command: 'undo' | 'redo', body: object) {
  const response = await hub.post(`${session.path}/${command}`, body)
  const { error } = (await response.json()) as ErrorBody
  return { status: response.status, code: error.code, paths: error.details?.['paths'] }
}

function read(path: string): string | undefined {
  return existsSync(repo.at(path)) ? readFileSync(repo.at(path), 'utf8') : undefined
}

test('a turn is undone and redone: changed, added, removed, moved and linked files, and modes', async () => {
  repo.write('src/code.ts', 'one, not committed\n').write('untracked.txt', 'mine\n')
  const turnId = await runTurn(() => {
    repo.write('src/code.ts', 'two\n').write('new/folder/file.txt', 'new\n')
    repo.write('untracked.txt', 'changed\n').write('ignored/cache', 'cache\n')
    renameSync(repo.at('src/old.ts'), repo.at('src/moved.ts'))
    symlinkSync('code.ts', repo.at('src/link.ts'))
    chmodSync(repo.at('kept.txt'), 0o755)
  })

  const { paths, left } = await restore('undo', { turnId })
  expect(paths.toSorted()).toEqual([
    'kept.txt',
    'new/folder/file.txt',
    'src/code.ts',
    'src/link.ts',
    'src/moved.ts',
    'src/old.ts',
    'untracked.txt',
  ])
  expect(left).toEqual([])
  expect(read('src/code.ts')).toBe('one, not committed\n')
  expect(read('untracked.txt')).toBe('mine\n')
  expect(read('src/old.ts')).toBe('old\n')
  expect(existsSync(repo.at('new'))).toBe(false)
  expect(lstatSync(repo.at('src/link.ts'), { throwIfNoEntry: false })).toBeUndefined()
  expect(statSync(repo.at('kept.txt')).mode & 0o111).toBe(0)
  // Ignored files are in no checkpoint.
  expect(read('ignored/cache')).toBe('cache\n')

  const redone = await restore('redo', {})
  expect(redone.paths.toSorted()).toEqual(paths.toSorted())
  expect(read('src/code.ts')).toBe('two\n')
  expect(read('new/folder/file.txt')).toBe('new\n')
  expect(read('src/old.ts')).toBeUndefined()
  expect(readlinkSync(repo.at('src/link.ts'))).toBe('code.ts')
  expect(statSync(repo.at('kept.txt')).mode & 0o111).not.toBe(0)
  expect(await refusal('redo', {})).toMatchObject({ status: 404, code: 'nothing_to_redo' })
})

test('an earlier turn is undone alone, and the log tells it', async () => {
  const first = await runTurn(() => repo.write('first.txt', 'first\n'))
  const second = await runTurn(() => repo.write('second.txt', 'second\n'))
  const changes = await hub.get<SessionChanges>(`${session.path}/changes?turnId=${first}`)
  expect(changes).toMatchObject({ is: 'known', files: [{ path: 'first.txt', status: 'A' }] })

  await restore('undo', { turnId: first })
  expect([read('first.txt'), read('second.txt')]).toEqual([undefined, 'second\n'])
  const { checkpoints, redo } = await hub.get<Checkpoints>(`${session.path}/checkpoints`)
  expect(checkpoints).toMatchObject([
    { turnId: first, isKept: true, isUndone: true },
    { turnId: second, isKept: true, isUndone: false },
  ])
  expect(redo).toBe(first)
  const notice = await session.feed.until('notice', ({ code }) => code === 'turn_undone')
  expect(notice.data).toMatchObject({ turnId: first, details: { paths: ['first.txt'] } })
})

describe('files that somebody else has changed since', () => {
  let turnId: string
  beforeEach(async () => {
    turnId = await runTurn(() => repo.write('src/code.ts', 'two\n').write('kept.txt', 'two\n'))
    repo.write('src/code.ts', 'by a person\n')
  })

  test('are named, and nothing is written', async () => {
    const expected = { status: 409, code: 'files_changed', paths: ['src/code.ts'] }
    expect(await refusal('undo', { turnId })).toEqual(expected)
    expect([read('src/code.ts'), read('kept.txt')]).toEqual(['by a person\n', 'two\n'])
  })

  test('stay with force others, and are set back with force all; redo brings them back', async () => {
    expect(await restore('undo', { turnId, force: 'others' })).toEqual({
      paths: ['kept.txt'],
      left: ['src/code.ts'],
    })
    expect([read('src/code.ts'), read('kept.txt')]).toEqual(['by a person\n', 'kept\n'])
    expect(await restore('undo', { turnId, force: 'all' })).toMatchObject({
      paths: ['src/code.ts'],
    })
    expect(read('src/code.ts')).toBe('one\n')
    await restore('redo', {})
    expect([read('src/code.ts'), read('kept.txt')]).toEqual(['by a person\n', 'kept\n'])
  })
})

test('an undo without a file to restore leaves the one before it to redo', async () => {
  const turnId = await runTurn(() => repo.write('src/code.ts', 'two\n'))
  await restore('undo', { turnId })
  expect(await restore('undo', { turnId })).toEqual({ paths: [], left: [] })
  expect(await restore('redo', {})).toMatchObject({ paths: ['src/code.ts'] })
})

test('a turn whose end was not kept in time still has its changes after an undo, and is undone again', async () => {
  const turnId = await runTurn(() => repo.write('src/code.ts', 'two\n'))
  const lines = readFileSync(checkpointsFile(), 'utf8').split('\n')
  writeFileSync(checkpointsFile(), lines.filter((line) => !line.includes('"after"')).join('\n'))
  await restore('undo', { turnId })
  const changes = await hub.get<SessionChanges>(`${session.path}/changes?turnId=${turnId}`)
  expect(changes).toMatchObject({ files: [{ path: 'src/code.ts', status: 'M' }] })
  await restore('redo', {})
  await restore('undo', { turnId })
  expect(read('src/code.ts')).toBe('one\n')
})

test('a folder that has become a link is not followed out of the repository', async () => {
  const outside = join(hub.folder, 'outside')
  mkdirSync(outside, { recursive: true })
  writeFileSync(join(outside, 'code.ts'), 'outside\n')
  writeFileSync(join(outside, 'added.ts'), 'outside\n')
  const turnId = await runTurn(() =>
    repo.write('src/code.ts', 'two\n').write('src/added.ts', 'x\n'),
  )
  rmSync(repo.at('src'), { recursive: true })
  symlinkSync(outside, repo.at('src'))
  const { left } = await restore('undo', { turnId, force: 'all' })
  expect(left).toEqual(['src/code.ts'])
  expect(readFileSync(join(outside, 'code.ts'), 'utf8')).toBe('outside\n')
  expect(readFileSync(join(outside, 'added.ts'), 'utf8')).toBe('outside\n')
  rmSync(repo.at('src'))
})

test('a running turn is not undone, nor one without a checkpoint', async () => {
  const { turnId } = await session.prompt('slow 60')
  await session.feed.until('turn.started', (data) => data.turnId === turnId)
  expect(await refusal('undo', { turnId })).toMatchObject({ status: 409, code: 'turn_running' })
  await hub.post(`${session.path}/cancel`, {})
  const missing = { status: 404, code: 'checkpoint_not_found' }
  expect(await refusal('undo', { turnId: 'nope' })).toMatchObject(missing)
})

test('a turn of a session that has ended is undone', async () => {
  const turnId = await runTurn(() => repo.write('src/code.ts', 'two\n'))
  await hub.fetch(session.path, { method: 'DELETE' })
  await restore('undo', { turnId })
  expect(read('src/code.ts')).toBe('one\n')
})
