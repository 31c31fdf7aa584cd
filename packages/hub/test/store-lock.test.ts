// One hub at a time holds a data directory, and a second one learns which process holds it.
import { statSync, writeFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import {
  DataDirectoryLockedError,
  findLockHolder,
  lockDataDirectory,
} from '../src/store/data-lock.js'
import { StoreChild, TempFolder } from './store-fixture.js'

test('a second hub is refused with the holder of the directory, its address, and what to do', async () => {
  using folder = new TempFolder()
  await using holder = await StoreChild.start('lock', folder.path)
  expect(await holder.readLine()).toBe('locked')

  const refusal = refusalOf(() => lockDataDirectory(folder.path))

  expect(refusal.directory).toBe(folder.path)
  expect(refusal.holder).toMatchObject({ pid: holder.pid, address: 'http://127.0.0.1:9' })
  for (const part of [folder.path, `process ${holder.pid}`, 'http://127.0.0.1:9', 'stop it']) {
    expect(refusal.message).toContain(part)
  }
  expect(refusal.message).toContain('QUAYSIDE_DATA_DIR')
})

test('the refusal carries no token, because errors are logged', async () => {
  using folder = new TempFolder()
  await using holder = await StoreChild.start('lock', folder.path)
  await holder.readLine()

  const refusal = refusalOf(() => lockDataDirectory(folder.path))

  expect(inspect(refusal, { depth: 5 })).not.toContain('local-secret')
})

test('kill -9 of the holder frees the directory', async () => {
  using folder = new TempFolder()
  await using holder = await StoreChild.start('lock', folder.path)
  await holder.readLine()
  await holder.kill()

  expect(findLockHolder(folder.path)).toBeUndefined()
  const lock = lockDataDirectory(folder.path)

  expect(findLockHolder(folder.path)?.pid).toBe(process.pid)
  lock.release()
})

test('a hub in another process is refused while this one holds the directory', async () => {
  using folder = new TempFolder()
  const lock = lockDataDirectory(folder.path)
  await using second = await StoreChild.start('lock', folder.path)

  expect(await second.readLine()).toContain(`process ${process.pid}`)

  lock.release()
  await using third = await StoreChild.start('lock', folder.path)
  expect(await third.readLine()).toBe('locked')
})

test('a refused second attempt in the same process does not loosen the lock', async () => {
  using folder = new TempFolder()
  const lock = lockDataDirectory(folder.path)
  refusalOf(() => lockDataDirectory(folder.path))

  await using other = await StoreChild.start('lock', folder.path)

  expect(await other.readLine()).toContain('already works in')
  lock.release()
})

test('release frees the directory and removes the note, and may be called twice', () => {
  using folder = new TempFolder()
  const first = lockDataDirectory(folder.path)
  first.release()
  expect(findLockHolder(folder.path)).toBeUndefined()

  const second = lockDataDirectory(folder.path)
  first.release()

  expect(findLockHolder(folder.path)?.pid).toBe(process.pid)
  second.release()
})

test('the address and the local token are known once they are announced', () => {
  using folder = new TempFolder()
  const lock = lockDataDirectory(folder.path)
  expect(findLockHolder(folder.path)).not.toHaveProperty('address')

  lock.announce({ address: 'http://127.0.0.1:5555', localToken: 'local-secret' })

  expect(findLockHolder(folder.path)).toMatchObject({
    address: 'http://127.0.0.1:5555',
    localToken: 'local-secret',
  })
  lock.release()
})

test('a damaged note still refuses, without naming a process', () => {
  using folder = new TempFolder()
  const lock = lockDataDirectory(folder.path)
  writeFileSync(folder.file('hub.json'), '{"pid":')

  const refusal = refusalOf(() => lockDataDirectory(folder.path))

  expect(refusal.holder).toBeUndefined()
  expect(refusal.message).toMatch(/^Another hub already works in/)
  lock.release()
})

test('both files are readable by their owner only, and so is a directory made for them', () => {
  using folder = new TempFolder()
  const directory = folder.file('data/hub')
  const lock = lockDataDirectory(directory)

  expect(modeOf(directory)).toBe(0o700)
  expect(modeOf(`${directory}/hub.lock`)).toBe(0o600)
  expect(modeOf(`${directory}/hub.json`)).toBe(0o600)
  lock.release()
})

function refusalOf(attempt: () => unknown): DataDirectoryLockedError {
  try {
    attempt()
  } catch (error) {
    if (error instanceof DataDirectoryLockedError) return error
    throw error
  }
  throw new Error('the directory was not locked')
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777
}
