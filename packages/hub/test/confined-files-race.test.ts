// A folder and a file are swapped for links to the outside thousands of times a second while an agent reads and writes.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { readFile, realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConfinedFiles, FileAccessError } from '../src/repos/files/confined-files.js'
import { figure, isTorture } from './faults/figure.js'

const CANARY = 'CANARY 91c2'
/** Sixty seconds in `npm run test:torture`; else until the race was meaningful. */
const RACE_MS = isTorture ? 60_000 : 0
const DEADLINE_MS = RACE_MS + 30_000
/** The minimum of successful accesses, refused accesses and swaps for a meaningful race. */
const ENOUGH = { done: 500, refused: 50, swaps: 500 }
const PARALLEL = 8

/**
 * Runs in a second process. `dir` and `file` alternate between the real thing and a link to the outside; in between
 * they are missing, and files that the agent creates there are moved away. `flip` is always a link and never missing.
 */
const SWAPPER = `
const { renameSync, symlinkSync } = require('node:fs')
const { workerData: { folder, shared } } = require('node:worker_threads')
const state = new Int32Array(shared)
let aside = 0
function put(from, to) {
  for (;;) {
    try {
      return renameSync(from, to)
    } catch {
      renameSync(to, folder + '/aside-' + aside++)
    }
  }
}
while (Atomics.load(state, 0) === 0) {
  for (const name of [folder + '/dir', folder + '/file']) {
    put(name, name + '.real')
    put(name + '.link', name)
    put(name, name + '.link')
    put(name + '.real', name)
  }
  for (const target of ['../../outside', 'steady']) {
    symlinkSync(target, folder + '/flip.next')
    renameSync(folder + '/flip.next', folder + '/flip')
  }
  Atomics.add(state, 1, 3)
}
`

type Access = Pick<ConfinedFiles, 'readTextFile' | 'writeTextFile'>
type Outcome = { done: number; refused: number; escapes: number; swaps: number }

let folder: string
let root: string
let outside: string

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-race-')))
  root = join(folder, 'ws')
  outside = join(folder, 'outside')
  mkdirSync(join(root, 'src/dir'), { recursive: true })
  mkdirSync(join(root, 'src/steady'))
  mkdirSync(outside)
  for (const name of ['canary', 'target']) {
    writeFileSync(join(outside, name), CANARY)
    writeFileSync(join(root, 'src/dir', name), 'inside')
    writeFileSync(join(root, 'src/steady', name), 'inside')
  }
  writeFileSync(join(root, 'src/file'), 'inside')
  symlinkSync('steady', join(root, 'src/flip'))
  symlinkSync(outside, join(root, 'src/dir.link'))
  symlinkSync('../../outside/canary', join(root, 'src/file.link'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function escapesOutside(): number {
  const changed = ['canary', 'target'].filter(
    (name) => readFileSync(join(outside, name), 'utf8') !== CANARY,
  )
  return changed.length + readdirSync(outside).length - 2
}

async function race(access: Access, isOver: (outcome: Outcome) => boolean): Promise<Outcome> {
  const shared = new SharedArrayBuffer(8)
  const state = new Int32Array(shared)
  const workerData = { folder: join(root, 'src'), shared }
  const swapper = new Worker(SWAPPER, { eval: true, workerData })
  const ended = new Promise((resolve) => swapper.once('exit', resolve))
  await new Promise((resolve) => swapper.once('online', resolve))
  const endsAt = Date.now() + DEADLINE_MS
  const outcome = { done: 0, refused: 0, escapes: 0, swaps: 0 }
  try {
    for (let round = 0; !isOver(outcome) && Date.now() < endsAt; round++) {
      await useAtOnce(access, round * PARALLEL, outcome)
      outcome.swaps = Atomics.load(state, 1)
      if (round % 20 === 0) outcome.escapes += escapesOutside()
    }
  } finally {
    Atomics.store(state, 0, 1)
    await ended
  }
  outcome.escapes += escapesOutside()
  return outcome
}

async function useAtOnce(access: Access, turn: number, outcome: Outcome): Promise<void> {
  const turns = Array.from({ length: PARALLEL }, (_, at) => use(access, turn + at))
  for (const text of await Promise.all(turns)) {
    if (text === undefined) outcome.refused++
    else outcome.done++
    if (text?.includes(CANARY)) outcome.escapes++
  }
}

/** Undefined when the access was refused. */
async function use(access: Access, turn: number): Promise<string | undefined> {
  const content = `written in turn ${turn}`
  const read = (name: string) => access.readTextFile({ path: join(root, 'src', name) })
  const write = (name: string) => access.writeTextFile({ path: join(root, 'src', name), content })
  const uses = [
    () => read('dir/canary'),
    () => write(`dir/new-${turn}`),
    () => read('file'),
    () => write('dir/target'),
    () => read('dir/../dir/canary'),
    () => write(`dir/new/new-${turn}`),
    () => write('file'),
    () => read('flip/canary'),
    () => write('flip/target'),
    () => write(`flip/new/new-${turn}`),
    () => read('flip/../dir/canary'),
  ]
  try {
    return (await uses[turn % uses.length]!()) ?? ''
  } catch (error) {
    if (error instanceof FileAccessError) return undefined
    throw error
  }
}

test.runIf(process.platform === 'linux')(
  'no exchange lets a read or a write out',
  { timeout: 120_000 },
  async ({ task }) => {
    const endsAt = performance.now() + RACE_MS
    const isEnough = ({ done, refused, swaps }: Outcome): boolean =>
      done >= ENOUGH.done && refused >= ENOUGH.refused && swaps >= ENOUGH.swaps
    const isOver = (outcome: Outcome): boolean => isEnough(outcome) && performance.now() >= endsAt
    const outcome = await race(new ConfinedFiles(root), isOver)
    expect(outcome.escapes, JSON.stringify(outcome)).toBe(0)
    expect(isEnough(outcome), JSON.stringify(outcome)).toBe(true)
    figure(task, { what: 'swaps of a link while an agent reads and writes', count: outcome.swaps })
  },
)

test('a mutant that checks the real path and then opens is caught', async () => {
  const checked = async (path: string, existing: string) => {
    const real = await realpath(existing).catch(() => undefined)
    if (!`${real}/`.startsWith(`${root}/`)) throw new FileAccessError('outside', path)
  }
  const failed = (path: string) => (cause: unknown) => {
    throw new FileAccessError('failed', path, { cause })
  }
  const mutant: Access = {
    async readTextFile({ path }) {
      await checked(path, path)
      return readFile(path, 'utf8').catch(failed(path))
    },
    async writeTextFile({ path, content }) {
      await checked(path, dirname(path))
      await writeFile(path, content).catch(failed(path))
    },
  }
  expect((await race(mutant, ({ escapes }) => escapes > 0)).escapes).toBeGreaterThan(0)
})
