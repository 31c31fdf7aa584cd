// `kill -9` before each single change that a restore makes on the disk: the old or the new data are always complete,
// and the next command finishes what was begun.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { writeBackup } from '../src/store/backup.js'
import { sha256Of } from '../src/store/data-files.js'
import { lockDataDirectory } from '../src/store/data-lock.js'
import { finishRestore } from '../src/store/restore-swap.js'
import { type Contents, foldersLike, makeData, readData } from './backup-data.js'
import { quayside } from './hub-child.js'
import { TempFolder } from './store-fixture.js'

/**
 * What `quayside restore` does, and no more: the rest of the command would only take time. Counts the changes that it makes below the data
 * and kills itself right before the one that was named, or before the first one with a journal on the disk.
 */
const RESTORE = `
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const [dist, backup, data, killBefore] = process.argv.slice(2)
let left = Number(killBefore)
for (const name of ['renameSync', 'rmSync', 'mkdirSync', 'writeFileSync', 'linkSync', 'copyFileSync', 'fsyncSync']) {
  const change = fs[name]
  fs[name] = (...args) => {
    const isOurs = name === 'fsyncSync' || args.some((arg) => String(arg).startsWith(data))
    const isTime = killBefore === 'journal' ? fs.existsSync(data + '/restore.json') : isOurs && (left -= 1) === 0
    if (isTime) process.kill(process.pid, 'SIGKILL')
    return change(...args)
  }
}
syncBuiltinESMExports()
const { lockDataDirectory } = await import(dist + 'data-lock.js')
const { restoreBackup } = await import(dist + 'restore.js')
const lock = lockDataDirectory(data)
restoreBackup(backup, data)
lock.release()
`
const DIST = new URL('../dist/store/', import.meta.url).href
const AT_ONCE = 3

let oldData: Contents
let newData: Contents

beforeAll(() => {
  using folder = new TempFolder()
  oldData = readData(makeData(folder.file('old'), OLD))
  newData = readData(makeData(folder.file('new'), NEW))
})

const OLD = { name: 'old', media: 1, settings: { GEMINI_PORT: 4001 }, agents: true }
const NEW = { name: 'new', media: 2, settings: { GEMINI_PORT: 4002 }, agents: true }

test(
  'at every kill the old or the new data are complete, and the restore is finished or undone',
  { timeout: 240_000 },
  async () => {
    using folder = new TempFolder()
    const { backup, old } = prepare(folder)
    const outcomes: string[] = []
    const sum = sha256Of(join(backup, 'quayside.db'))

    const tryKill = async (number: number): Promise<boolean> => {
      const data = folder.file(`data-${number}`)
      cpSync(old, data, { recursive: true })
      const { code } = await restoreAndKill(folder, data, number)
      outcomes[number] = examine(data)
      expect(code === null || code === 0).toBe(true)
      return code === null
    }
    let wasKilled = true
    for (let next = 1; wasKilled; next += AT_ONCE) {
      const batch = Array.from({ length: AT_ONCE }, (_, index) => tryKill(next + index))
      wasKilled = (await Promise.all(batch)).some(Boolean)
    }

    expect(sha256Of(join(backup, 'quayside.db'))).toBe(sum)
    const story = outcomes.slice(1)
    // First only the old, from the one decisive write on only the new; both happened, many times.
    expect(story.join(' ')).toMatch(/^(?:old ){10,}new(?: new){10,}$/)
  },
)

/** The program, a backup of the new data, and the old ones. */
function prepare(folder: TempFolder): { readonly backup: string; readonly old: string } {
  folder.write('restore.mjs', RESTORE)
  const target = folder.file('backup')
  const dataDir = makeData(folder.file('source'), NEW)
  const { folder: backup } = writeBackup({ dataDir, target, version: '0.1.0' })
  return { backup, old: makeData(folder.file('old'), OLD) }
}

async function restoreAndKill(
  folder: TempFolder,
  data: string,
  killBefore: number | 'journal',
): Promise<{ code: number | null }> {
  const args = [folder.file('restore.mjs'), DIST, folder.file('backup'), data, String(killBefore)]
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  return { code }
}

/** Which data are there after the interruption has been finished. Fails when they are not exactly the old or the new ones. */
function examine(data: string): 'old' | 'new' {
  const lock = lockDataDirectory(data)
  finishRestore(data)
  lock.release()
  expect(foldersLike(data, 'restor'), 'nothing half done stays').toEqual([])
  const contents = readData(data)
  const asides = foldersLike(data, 'before-restore-')
  if (contents.sessions[0] === 'old') {
    expect(contents).toEqual(oldData)
    expect(asides).toEqual([])
    return 'old'
  }
  expect(contents).toEqual(newData)
  expect(asides.map((aside) => readData(aside))).toEqual([oldData])
  return 'new'
}

test('the same restore again only finishes the interrupted one', async () => {
  using folder = new TempFolder()
  const { backup, old: data } = prepare(folder)
  await restoreAndKill(folder, data, 'journal')
  expect(existsSync(join(data, 'restore.json'))).toBe(true)

  const doctor = await quayside(['doctor'], { QUAYSIDE_DATA_DIR: data })
  const again = (): unknown => writeBackup({ dataDir: data, version: '0.1.0' })
  expect(again).toThrow(/was interrupted/)
  const restored = await quayside(['restore', backup], { QUAYSIDE_DATA_DIR: data })

  expect(doctor.output).toContain('was interrupted')
  expect(restored).toMatchObject({ code: 0 })
  expect(restored.output).toContain('is finished now')
  expect(readData(data)).toEqual(newData)
  expect(foldersLike(data, 'before-restore-')).toHaveLength(1)
})
