// `kill -9` before each single change that a restore makes on the disk: the old or the new data are always complete,
// and the next command finishes what was begun.
import { cpSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { sha256Of } from '../src/store/data-files.js'
import { lockDataDirectory } from '../src/store/data-lock.js'
import { finishRestore } from '../src/store/restore-swap.js'
import { type Contents, foldersLike, makeData, readData } from './backup-data.js'
import { quayside } from './hub-child.js'
import { TempFolder } from './store-fixture.js'

/** Counts the changes that a process makes below a folder and kills it right before the one that was named. */
const KILLER = `
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
let left = Number(process.env.KILL_BEFORE)
for (const name of ['renameSync', 'rmSync', 'mkdirSync', 'writeFileSync', 'linkSync', 'copyFileSync', 'fsyncSync']) {
  const change = fs[name]
  fs[name] = (...args) => {
    const isOurs = name === 'fsyncSync' || args.some((arg) => String(arg).startsWith(process.env.KILL_BELOW))
    if (isOurs && (left -= 1) === 0) process.kill(process.pid, 'SIGKILL')
    return change(...args)
  }
}
syncBuiltinESMExports()
`
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
    const killer = folder.write('killer.mjs', KILLER)
    makeData(folder.file('old'), OLD)
    const source = makeData(folder.file('source'), NEW)
    const backup = folder.file('backup')
    await quayside(['backup', backup], { QUAYSIDE_DATA_DIR: source })
    const outcomes: string[] = []
    const sum = sha256Of(join(backup, 'quayside.db'))

    const tryKill = async (number: number): Promise<boolean> => {
      const data = folder.file(`data-${number}`)
      cpSync(folder.file('old'), data, { recursive: true })
      const { code } = await quayside(['restore', backup], {
        QUAYSIDE_DATA_DIR: data,
        NODE_OPTIONS: `--import ${killer}`,
        KILL_BEFORE: String(number),
        KILL_BELOW: data,
      })
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
  const killer = folder.write('killer.mjs', KILLER)
  const source = makeData(folder.file('source'), NEW)
  const backup = folder.file('backup')
  await quayside(['backup', backup], { QUAYSIDE_DATA_DIR: source })
  const data = await interruptAfterDecision({ folder, killer, backup })

  const doctor = await quayside(['doctor'], { QUAYSIDE_DATA_DIR: data })
  const refused = await quayside(['backup'], { QUAYSIDE_DATA_DIR: data })
  const again = await quayside(['restore', backup], { QUAYSIDE_DATA_DIR: data })

  expect(doctor.output).toContain('was interrupted')
  expect(refused).toMatchObject({ code: 1 })
  expect(again).toMatchObject({ code: 0 })
  expect(again.output).toContain('is finished now')
  expect(readData(data)).toEqual(newData)
  expect(foldersLike(data, 'before-restore-')).toHaveLength(1)
})

type Interrupted = {
  readonly folder: TempFolder
  readonly killer: string
  readonly backup: string
}

/** Looks for a kill after which the journal is on the disk. */
async function interruptAfterDecision({ folder, killer, backup }: Interrupted): Promise<string> {
  for (let number = 25; number < 100; number += 3) {
    const data = makeData(folder.file(`data-${number}`), OLD)
    await quayside(['restore', backup], {
      QUAYSIDE_DATA_DIR: data,
      NODE_OPTIONS: `--import ${killer}`,
      KILL_BEFORE: String(number),
      KILL_BELOW: data,
    })
    if (existsSync(join(data, 'restore.json'))) return data
  }
  throw new Error(`no kill left a journal in ${readdirSync(folder.path).join(', ')}`)
}
