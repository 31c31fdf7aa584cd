// Backup and restore on real data directories, as functions and as commands.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { BackupManifest } from '../src/store/backup/backup-manifest.js'
import { writeBackup } from '../src/store/backup/backup.js'
import { lockDataDirectory } from '../src/store/data-lock.js'
import { openForReading } from '../src/store/backup/database-copy.js'
import { findCorruption } from '../src/store/sqlite/database.js'
import { type Restored, restoreBackup } from '../src/store/backup/restore.js'
import { foldersLike, makeData, openToOthers, readData } from './backup-data.js'
import { quayside } from './command-run.js'
import { startHubChild } from './hub-child.js'
import { StoreChild, TempFolder } from './store-fixture.js'
import { MIGRATIONS_FOLDER } from '../src/places.js'

const TOKEN = 'a-token-that-must-not-leak'

function envOf(dataDir: string): Record<string, string> {
  return { QUAYSIDE_DATA_DIR: dataDir, AGENT_WORKSPACE_ROOT: dataDir }
}

function backup(dataDir: string, target?: string): string {
  return writeBackup({ dataDir, target, version: '0.1.0' }).folder
}

/** The functions behind `quayside backup` and `quayside restore`, without the slow start of a command. */
function restore(from: string, dataDir: string): Restored {
  const lock = lockDataDirectory(dataDir)
  try {
    return restoreBackup(from, dataDir)
  } finally {
    lock.release()
  }
}

async function backupByCommand(dataDir: string, target?: string): Promise<string> {
  const args = target === undefined ? ['backup'] : ['backup', target]
  const { code, output } = await quayside(args, envOf(dataDir))
  if (code !== 0) throw new Error(output)
  return /quayside restore '?([^'\n]+)/.exec(output)?.[1] ?? ''
}

function manifestOf(folder: string): BackupManifest {
  return JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as BackupManifest
}

test('a backup taken while another process commits holds everything up to one commit', async () => {
  using folder = new TempFolder()
  const data = folder.file('data')
  const file = join(data, 'quayside.db')
  await using writer = await StoreChild.start('write', file, MIGRATIONS_FOLDER)
  await writer.readLine()
  // In this process, not the writer's: the start of a command would hide missing commits.
  const backups = Array.from({ length: 10 }, (_, round) => {
    const committed = readLog(file).last
    const target = folder.file(`copy-${round}`)
    return { committed, from: backup(data, target) }
  })
  const fromCommand = await backupByCommand(data, folder.file('copy-of-command'))
  const { last } = readLog(file)
  await writer.kill()

  for (const { from, committed } of [...backups, { from: fromCommand, committed: 1 }]) {
    const log = readLog(join(from, 'quayside.db'))
    expect(log.corruption).toEqual([])
    expect(log.events).toBe(log.last)
    // The writer commits seven events at a time.
    expect(log.events % 7).toBe(0)
    expect(log.events).toBeGreaterThanOrEqual(committed)
    expect(log.events).toBeLessThanOrEqual(last)
  }
  const restored = folder.file('restored')
  restore(fromCommand, restored)
  expect(readLog(join(restored, 'quayside.db'))).toEqual(readLog(join(fromCommand, 'quayside.db')))
})

function readLog(file: string): { events: number; last: number; corruption: string[] } {
  const db = openForReading(file)
  try {
    const log: { events: number; last: number } = db
      .prepare('SELECT count(*) AS events, max(seq) AS last FROM AgentEvent')
      .get()
    return { ...log, corruption: findCorruption(db) }
  } finally {
    db.close()
  }
}

test('a backup is private, described, without the token, and shares its media with the data', () => {
  using folder = new TempFolder()
  const settings = { GEMINI_PORT: 4555, QUAYSIDE_TOKEN: TOKEN }
  const data = makeData(folder.file('data'), { name: 'shop', settings })
  const first = backup(data)
  const second = backup(data)

  expect(first.startsWith(join(data, 'backups', 'quayside-backup-'))).toBe(true)
  expect(openToOthers(first)).toEqual([])
  const manifest = manifestOf(first)
  expect(manifest).toMatchObject({
    format: 1,
    version: '0.1.0',
    counts: { AgentSession: 1, AgentEvent: 10, Media: 2 },
    media: { files: 2, bytes: 12, missing: [] },
    settings: { leftOut: ['QUAYSIDE_TOKEN'] },
  })
  expect(manifest.migrations).toContain('0001_init')
  expect(readdirSync(first).toSorted()).toEqual([
    'config.json',
    'manifest.json',
    'media',
    'quayside.db',
  ])
  expect(readFileSync(join(first, 'config.json'), 'utf8')).not.toContain(TOKEN)
  expect(inodesIn(join(first, 'media'))).toEqual(inodesIn(join(data, 'media')))
  expect(inodesIn(join(second, 'media'))).toEqual(inodesIn(join(data, 'media')))
})

test('restoring brings back sessions, media, settings, secrets and extensions, keeps the later data, and can be undone', async () => {
  using folder = new TempFolder()
  const shop = { name: 'shop', settings: { GEMINI_PORT: 4555 }, agents: true }
  const data = makeData(folder.file('data'), shop)
  const before = readData(data)
  expect(Object.keys(before.agents)).toHaveLength(4)
  const from = await backupByCommand(data, folder.file('safe'))
  for (const name of readdirSync(data)) rmSync(join(data, name), { recursive: true })
  const settings = { GEMINI_PORT: 4666, QUAYSIDE_TOKEN: TOKEN }
  makeData(data, { name: 'later', settings, agents: true })
  const later = readData(data)

  const { code, output } = await quayside(['restore', from], envOf(data))

  expect(code).toBe(0)
  expect(readData(data)).toEqual(before)
  expect(openToOthers(from)).toEqual([])
  expect(statSync(join(data, 'extensions/acp/shop/agent.sh')).mode & 0o777).toBe(0o700)
  const [aside = ''] = foldersLike(data, 'before-restore-')
  expect(output).toContain(aside)
  expect(readData(aside)).toEqual(later)

  restore(aside, data)
  expect(readData(data)).toEqual(later)
  expect(foldersLike(data, 'before-restore-')).toHaveLength(2)
})

test('data that a crash left are set aside with the log of their last commits', async () => {
  using folder = new TempFolder()
  const data = folder.file('data')
  const file = join(data, 'quayside.db')
  await using writer = await StoreChild.start('write', file, MIGRATIONS_FOLDER)
  for (let line = 0; line < 20; line += 1) await writer.readLine()
  await writer.kill()
  const committed = Number((await writer.readRest()).at(-1) ?? 140)
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(0)
  restore(backup(makeData(folder.file('source'), { name: 'shop' })), data)

  expect(readData(data)).toMatchObject({ sessions: ['shop'], events: 10 })
  const [aside = ''] = foldersLike(data, 'before-restore-')
  expect(readData(aside).events).toBeGreaterThanOrEqual(committed)
})

test('a token that the backup left out stays the one of the present settings', async () => {
  using folder = new TempFolder()
  const settings = { GEMINI_PORT: 4555, QUAYSIDE_TOKEN: TOKEN }
  const data = makeData(folder.file('data'), { name: 'shop', settings })
  const from = backup(data)
  writeFileSync(join(data, 'config.json'), JSON.stringify({ QUAYSIDE_TOKEN: `${TOKEN}-new` }))

  expect(restore(from, data).missingSettings).toEqual([])

  expect(readData(data).settings).toEqual({ GEMINI_PORT: 4555, QUAYSIDE_TOKEN: `${TOKEN}-new` })
  const other = await quayside(['restore', from], envOf(folder.file('other')))
  expect(other.output).toContain('Backups do not contain QUAYSIDE_TOKEN')
})

test('a hub can run while it is backed up, and refuses to be restored under', async () => {
  using folder = new TempFolder()
  const data = makeData(folder.file('data'), { name: 'shop' })
  const hub = await startHubChild([], envOf(data))
  try {
    const from = await backupByCommand(data)
    expect(() => restore(from, data)).toThrow(`process ${hub.process.pid}`)
  } finally {
    await hub.stop('SIGTERM')
  }
  expect(foldersLike(data, 'before-restore-')).toEqual([])
  const [from = ''] = foldersLike(join(data, 'backups'), 'quayside-backup-')
  restore(from, data)
  const again = await startHubChild([], envOf(data))
  await again.stop('SIGTERM')
  expect(readData(data).sessions).toEqual(['shop'])
})

test('an older backup is brought to the present shape', () => {
  using folder = new TempFolder()
  cpSync(join(MIGRATIONS_FOLDER, '0001_init'), folder.file('first/0001_init'), { recursive: true })
  const old = makeData(folder.file('old'), { name: 'shop', migrations: folder.file('first') })
  const from = backup(old)
  const data = folder.file('data')

  expect(restore(from, data).migrated[0]).toMatch(/^0002_/)

  expect(manifestOf(from).migrations).toEqual(['0001_init'])
  expect(readData(data)).toEqual({ ...readData(old) })
})

test('a backup of a newer version is refused and says what to do', () => {
  using folder = new TempFolder()
  cpSync(MIGRATIONS_FOLDER, folder.file('next'), { recursive: true })
  folder.write('next/9999_later/sqlite/up.sql', 'CREATE TABLE Later (id TEXT);')
  folder.write('next/9999_later/sqlite/down.sql', 'DROP TABLE Later;')
  const newer = makeData(folder.file('newer'), { name: 'shop', migrations: folder.file('next') })
  const from = backup(newer)
  const data = makeData(folder.file('data'), { name: 'mine' })

  expect(() => restore(from, data)).toThrow(/newer version.*Nothing was changed.*Install/)
  expectUntouched(data)
})

test('a damaged backup is refused and the data stay as they are', () => {
  using folder = new TempFolder()
  const from = backup(makeData(folder.file('source'), { name: 'shop', agents: true }))
  const data = makeData(folder.file('data'), { name: 'mine' })
  const damage: Record<string, (copy: string) => void> = {
    'flipped bytes': (copy) => flipBytes(join(copy, 'quayside.db')),
    'cut off': (copy) => writeFileSync(join(copy, 'quayside.db'), 'SQLite format 3\0'),
    'no database': (copy) => rmSync(join(copy, 'quayside.db')),
    'a changed extension': (copy) =>
      writeFileSync(join(copy, 'extensions/acp/shop/agent.sh'), 'echo another'),
    'a lost key': (copy) => rmSync(join(copy, 'secrets.json')),
    'broken manifest': (copy) => writeFileSync(join(copy, 'manifest.json'), '{"format":'),
    // Without a manifest, the database itself is checked.
    'no manifest': (copy) => {
      flipBytes(join(copy, 'quayside.db'))
      rmSync(join(copy, 'manifest.json'))
    },
  }
  for (const [name, spoil] of Object.entries(damage)) {
    const copy = folder.file(name)
    cpSync(from, copy, { recursive: true })
    spoil(copy)
    // A single line, because a person reads it.
    expect(() => restore(copy, data), name).toThrow(/^[^\n]+$/)
    expectUntouched(data)
  }
})

test('a damaged media file is left out and counted, everything else is restored', () => {
  using folder = new TempFolder()
  const from = backup(makeData(folder.file('source'), { name: 'shop' }), folder.file('safe'))
  const [victim = ''] = readdirSync(join(from, 'media'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.length > 60)
    .map((name) => join(from, 'media', name))
  rmSync(victim)
  writeFileSync(victim, 'shop X')

  expect(restore(from, folder.file('data')).missingMedia).toHaveLength(1)

  expect(readData(folder.file('data')).media).toHaveLength(1)
})

test('refusals name what is wrong and leave nothing behind', async () => {
  using folder = new TempFolder()
  mkdirSync(folder.file('empty'))
  const nothing = await quayside(['backup'], envOf(folder.file('empty')))
  expect(nothing).toMatchObject({ code: 1 })
  expect(nothing.output).toContain('nothing to back up')
  expect(readdirSync(folder.file('empty'))).toEqual([])

  const data = makeData(folder.file('data'), { name: 'shop' })
  const from = backup(data, folder.file('safe'))
  expect(() => backup(data, from)).toThrow('exists already')
  expect(() => restore(folder.file('nowhere'), data)).toThrow('There is no backup at')
  expect(() => restore(data, data)).toThrow('not a backup')

  flipBytes(join(data, 'quayside.db'))
  expect(() => backup(data, folder.file('bad'))).toThrow('damaged')
  expect(existsSync(folder.file('bad'))).toBe(false)
  expect(foldersLike(folder.path, 'bad')).toEqual([])
})

function expectUntouched(data: string): void {
  expect(readData(data)).toMatchObject({ sessions: ['mine'], media: ['mine 0', 'mine 1'] })
  expect([...foldersLike(data, 'before-restore-'), ...foldersLike(data, 'restor')]).toEqual([])
}

/** In the middle of the first table's pages, after the header. */
function flipBytes(file: string): void {
  const bytes = readFileSync(file)
  for (let at = 4096 + 20; at < bytes.length; at += 512) bytes[at] = bytes[at]! ^ 0xff
  writeFileSync(file, bytes)
}

function inodesIn(folder: string): number[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.length > 60)
    .toSorted()
    .map((name) => statSync(join(folder, name)).ino)
}
