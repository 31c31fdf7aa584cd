// A thousand hostile paths: every one is refused, no file changes, no access hangs, and mutants are caught.
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConfinedFiles, FileAccessError } from '../src/repos/files/confined-files.js'
import { descriptorEntries, pathEntries } from '../src/repos/files/file-entries.js'
import { CANARY, CREATABLE, type Hostile, HostileTree } from './confined-files-corpus.js'
import { figure } from './faults/figure.js'

const WRITTEN = 'written by the agent'
/** An access that takes longer hangs, also on a busy machine. */
const LONGEST_WAIT_MS = 30_000

type Access = Pick<ConfinedFiles, 'readTextFile' | 'writeTextFile'>

let tree: HostileTree
beforeEach(async () => {
  tree = await HostileTree.make()
})
afterEach(() => tree[Symbol.asyncDispose]())

describe.each([
  ['descriptors', descriptorEntries],
  ['paths', pathEntries],
])('by %s', (name, entries) => {
  const onThisPlatform = test.runIf(name === 'paths' || process.platform === 'linux')

  onThisPlatform('no hostile path is read or written, and nothing changes', async ({ task }) => {
    const cases = tree.hostilePaths()
    expect(new Set(cases.map(({ path }) => path)).size).toBeGreaterThan(1_000)
    const before = listing(tree.folder)

    expect(await breaches(new ConfinedFiles(tree.root, entries), cases)).toEqual([])

    expect(listing(tree.folder)).toEqual(before)
    expect(openDescriptors()).toEqual([])
    figure(task, { what: `hostile paths of an agent, by ${name}`, count: cases.length })
    for (const path of CREATABLE.filter((path) => path.includes('created')))
      expect(() => lstatSync(path)).toThrow('ENOENT')
  })

  onThisPlatform('spellings that mean nothing to a file system are names inside', async () => {
    const files = new ConfinedFiles(tree.root, entries)
    const before = listing(tree.outside)
    const ups = [
      '%2e%2e',
      '..%2f',
      '..\\',
      '．．',
      '。。',
      '․․',
      '.. ',
      ' ..',
      '..\t',
      '...',
      '..;',
    ]
    for (const up of ups) {
      const path = `${tree.root}/${up}/${up}/outside/canary`
      expect(await attempt(() => files.readTextFile({ path }))).toEqual({ refused: 'not_found' })
      await files.writeTextFile({ path, content: WRITTEN })
      expect(await files.readTextFile({ path })).toBe(WRITTEN)
    }
    expect(listing(tree.outside)).toEqual(before)
  })

  onThisPlatform('a hard link to a file outside is not written', async () => {
    const files = new ConfinedFiles(tree.root, entries)
    symlinkSync('../hard', join(tree.root, 'links/hard'))
    for (const name of ['hard', 'dir/sub/hard', 'links/hard']) {
      const path = join(tree.root, name)
      const write = () => files.writeTextFile({ path, content: WRITTEN })
      expect(await attempt(write)).toEqual({ refused: 'hard_link' })
    }
    expect(readFileSync(join(tree.outside, 'linked'), 'utf8')).toBe(CANARY)
  })
})

test.each([
  ['a string prefix', (path: string) => path.startsWith(tree.root)],
  ['the lexical path', (path: string) => `${resolve(path)}/`.startsWith(`${tree.root}/`)],
])('a mutant that checks only %s is caught', async (_, isAccepted) => {
  const requireAccepted = (path: string) => {
    if (!isAccepted(path)) throw new FileAccessError('outside', path)
  }
  const failed = (path: string) => (cause: unknown) => {
    throw new FileAccessError('failed', path, { cause })
  }
  const mutant: Access = {
    async readTextFile({ path }) {
      requireAccepted(path)
      return readFile(path, 'utf8').catch(failed(path))
    },
    async writeTextFile({ path, content }) {
      requireAccepted(path)
      await writeFile(path, content).catch(failed(path))
    },
  }
  const cases = tree.hostilePaths().filter(({ leadsTo }) => leadsTo === 'ours')
  const before = listing(tree.outside)
  const found = await breaches(mutant, cases)
  expect(found.filter((breach) => breach.startsWith('read')).length).toBeGreaterThan(10)
  expect(found.filter((breach) => breach.startsWith('write')).length).toBeGreaterThan(10)
  expect(listing(tree.outside)).not.toEqual(before)
})

/** The cases that were not refused. Any text that was read is a breach. */
async function breaches(access: Access, cases: readonly Hostile[]): Promise<string[]> {
  const found: string[] = []
  for (const { path, leadsTo } of cases) {
    const read = await attempt(() => access.readTextFile({ path }))
    if (read.refused === undefined) found.push(`read ${path}: ${read.text?.slice(0, 20)}`)
    if (leadsTo === 'system') continue
    const write = await attempt(() => access.writeTextFile({ path, content: WRITTEN }))
    if (write.refused === undefined) found.push(`write ${path}`)
  }
  return found
}

/** The result, or the code of the refusal. Any other error is thrown, also a timeout. */
async function attempt(
  use: () => Promise<string | void>,
): Promise<{ text?: string; refused?: string }> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it hangs')), LONGEST_WAIT_MS)
  })
  try {
    return { text: (await Promise.race([use(), tooLate])) ?? '' }
  } catch (error) {
    if (error instanceof FileAccessError) return { refused: error.code }
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Every file below a folder, with content and modification time. */
function listing(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      const { mode, mtimeMs } = lstatSync(path)
      if (entry.isSymbolicLink()) return `${path} -> ${readlinkSync(path)}`
      if (entry.isDirectory()) return [`${path}/ ${mode} ${mtimeMs}`, ...listing(path)]
      if (!entry.isFile()) return `${path} ${mode} ${mtimeMs}`
      const hash = createHash('sha256').update(readFileSync(path)).digest('hex')
      return `${path} ${mode} ${mtimeMs} ${hash}`
    })
}

/** The files of the tree that this process has open. */
function openDescriptors(): string[] {
  if (process.platform !== 'linux') return []
  const targets = readdirSync('/proc/self/fd').map((name) => targetOf(`/proc/self/fd/${name}`))
  return targets.filter((target) => target.startsWith(tree.folder))
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    // Closed meanwhile.
    return ''
  }
}
