// The checkpoints of a session on disk: the work tree before and after each of its turns, as git trees. In the session's folder,
// `checkpoints.jsonl` has one fact on each line, `objects` the objects of the trees, and `next` a snapshot that no turn has used yet.
import { appendFileSync, existsSync, mkdirSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Snapshot } from '../../repos/git/working-tree-snapshot.js'

const FILE = 'checkpoints.jsonl'
const NEXT = 'next'
const OBJECTS = 'objects'

/** The work tree before and after a turn. Without `before`, no snapshot could be taken in time. */
export type Checkpoint = {
  readonly turnId: string
  readonly before?: Snapshot
  /** `before` may be older, when no file had changed since. */
  readonly beganAt?: number
  readonly after?: Snapshot
}

/** The files that an undo has restored. `from` is the whole work tree before the undo. */
export type Undo = {
  readonly undoId: string
  readonly turnId: string
  readonly from: Snapshot
  /** As git names them, one character for each byte. */
  readonly paths: readonly string[]
}

type Fact =
  | Checkpoint
  | { readonly undone: Undo }
  /** The files of that undo were brought back. */
  | { readonly redone: string }

export type Checkpoints = {
  /** By turn, in the order of the turns. */
  readonly turns: ReadonlyMap<string, Checkpoint>
  /** The undos that can be redone, the latest last. */
  readonly undone: readonly Undo[]
}

/** Skips a line that a crash has cut off. */
export async function readCheckpoints(sessionFolder: string): Promise<Checkpoints> {
  const text = await readFile(join(sessionFolder, FILE), 'utf8').catch(() => '')
  const turns = new Map<string, Checkpoint>()
  const undone = new Map<string, Undo>()
  for (const fact of text.split('\n').flatMap(parseFact)) {
    if ('undone' in fact) undone.set(fact.undone.undoId, fact.undone)
    else if ('redone' in fact) undone.delete(fact.redone)
    // The first `after` of a turn counts: an undo keeps one before it changes files.
    else turns.set(fact.turnId, { ...fact, ...turns.get(fact.turnId) })
  }
  return { turns, undone: [...undone.values()] }
}

/** The work tree after a turn: kept at its end, or before the next turn. Undefined for the latest turn, until it is kept. */
export function findAfter({ turns }: Checkpoints, turnId: string): Snapshot | undefined {
  const all = [...turns.values()]
  const at = all.findIndex((checkpoint) => checkpoint.turnId === turnId)
  return all[at]?.after ?? all[at + 1]?.before
}

function parseFact(line: string): Fact[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as Fact]
  } catch {
    return []
  }
}

/** Synchronous, because a prompt waits for it. The line begins on its own, also after one that was cut off. */
export function keepFact(sessionFolder: string, fact: Fact): void {
  const file = join(sessionFolder, FILE)
  if (!existsSync(file)) mkdirSync(sessionFolder, { recursive: true })
  appendFileSync(file, `\n${JSON.stringify(fact)}`)
}

/** An empty folder for the snapshot of the next turn. */
export async function newNextFolder(sessionFolder: string): Promise<string> {
  const folder = join(sessionFolder, NEXT)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  return folder
}

/** The objects of the snapshot in `next` join those of the session. */
export async function adoptNext(sessionFolder: string): Promise<void> {
  const from = join(sessionFolder, NEXT, OBJECTS)
  const to = join(sessionFolder, OBJECTS)
  const entries = await readdir(from, { withFileTypes: true, recursive: true })
  for (const entry of entries.filter((found) => found.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const target = join(to, path.slice(from.length))
    await mkdir(dirname(target), { recursive: true })
    await rename(path, target)
  }
}
