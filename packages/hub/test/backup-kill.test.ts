// `kill -9` before a change that a restore makes on the disk: either the old or the new data is complete, and the next command
// finishes the restore. `npm test` kills before one change of each kind, `npm run test:torture` before every change.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { writeBackup } from '../src/store/backup/backup.js'
import { sha256Of } from '../src/store/data-files.js'
import { lockDataDirectory } from '../src/store/data-lock.js'
import { finishRestore } from '../src/store/backup/restore-swap.js'
import { type Contents, foldersLike, makeData, readData } from './backup-data.js'
import { quayside } from './command-run.js'
import { TempFolder } from './store-fixture.js'

/**
 * The core of `quayside restore`, without the slow start of the command. It numbers its changes below the data directory
 * and kills itself right before the one with the given number, or the first of the given kind, or the first with a journal on the disk. A
 * restore that is not killed prints its changes.
 */
const RESTORE = `
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const [dist, backup, data, killBefore] = process.argv.slice(2)
const changes = []
let isDecided = false
for (const name of ['renameSync', 'rmSync', 'mkdirSync', 'writeFileSync', 'linkSync', 'copyFileSync', 'fsyncSync']) {
  const change = fs[name]
  fs[name] = (...args) => {
    const isOurs = name === 'fsyncSync' || args.some((arg) => String(arg).startsWith(data))
    isDecided ||= fs.existsSync(data + '/restore.json')
    const kind = (isDecided ? 'new ' : 'old ') + name
    if (isOurs) changes.push(kind)
    const isIt = [kind, String(changes.length)].includes(killBefore)
    if (killBefore === 'journal' ? isDecided : isOurs && isIt) process.kill(process.pid, 'SIGKILL')
    return change(...args)
  }
}
syncBuiltinESMExports()
const { lockDataDirectory } = await import(dist + 'data-lock.js')
const { restoreBackup } = await import(dist + 'backup/restore.js')
const lock = lockDataDirectory(data)
restoreBackup(backup, data)
lock.release()
console.log(JSON.stringify(changes))
`
const DIST = new URL('../dist/store/', import.meta.url).href
const AT_ONCE = 3
const isTorture = 'QUAYSIDE_TORTURE_ROUNDS' in process.env

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
  { timeout: isTorture ? 900_000 : 240_000 },
  async () => {
    using folder = new TempFolder()
    const { backup, old } = prepare(folder)
    const sum = sha256Of(join(backup, 'quayside.db'))
    const tryKill = async (kill: string) => {
      const data = folder.file(`data-${kill}`)
      cpSync(old, data, { recursive: true })
      const { code, output } = await restoreAndKill(folder, data, kill)
      expect(code === null || code === 0).toBe(true)
      return { kill, wasKilled: code === null, left: examine(data), output }
    }
    const whole = await tryKill('never')
    const changes = JSON.parse(whole.output) as string[]
    const kills = isTorture ? changes.map((_, index) => String(index + 1)) : oneOfEachKind(changes)

    const outcomes: Awaited<ReturnType<typeof tryKill>>[] = []
    while (outcomes.length < kills.length) {
      const batch = kills.slice(outcomes.length, outcomes.length + AT_ONCE)
      outcomes.push(...(await Promise.all(batch.map(tryKill))))
    }

    expect(whole).toMatchObject({ wasKilled: false, left: 'new' })
    expect(sha256Of(join(backup, 'quayside.db'))).toBe(sum)
    // Up to one decisive write only the old data, after it only the new; both must have happened many times.
    expect(outcomes.map(({ left }) => left).join(' ')).toMatch(/^(?:old ){5,}new(?: new){3,}$/)
    // The database may have extra files, so the number of changes varies a little.
    const survivors = outcomes.filter(({ wasKilled }) => !wasKilled)
    expect(survivors.length).toBeLessThanOrEqual(isTorture ? 4 : 0)
  },
)

/** The kinds before the decisive change, its number, and the kinds after it. */
function oneOfEachKind(changes: readonly string[]): string[] {
  const decisive = changes.findLastIndex((change) => change.startsWith('old')) + 1
  const kinds = [...new Set(changes)]
  const before = kinds.filter((kind) => kind.startsWith('old'))
  return [...before, String(decisive), ...kinds.slice(before.length)]
}

/** The program, a backup of the new data, and the old data. */
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
  killBefore: string,
): Promise<{ code: number | null; output: string }> {
  const args = [folder.file('restore.mjs'), DIST, folder.file('backup'), data, killBefore]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const output = await text(child.stdout)
  const [code] = (await exited) as [number | null]
  return { code, output }
}

/** Returns which data is there after the interrupted restore was finished. Fails unless it is exactly the old or the new data. */
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
