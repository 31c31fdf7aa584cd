// The snapshot of a session's latest turn on disk: `turns/<number>` in the session's folder.
// The newest folder counts, also when it is unfinished; the one before stays for readers that have it open.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Snapshot } from '../../repos/git/working-tree-snapshot.js'

const FILE = 'snapshot.json'

/** Makes the snapshot of the previous turn obsolete. */
export async function newTurnFolder(sessionFolder: string): Promise<string> {
  const numbers = await numbersIn(sessionFolder)
  const newest = numbers.at(-1) ?? 0
  const folder = folderOf(sessionFolder, newest + 1)
  await mkdir(folder, { recursive: true })
  const old = numbers.slice(0, -1).map((number) => folderOf(sessionFolder, number))
  await Promise.all(old.map((path) => rm(path, { recursive: true, force: true })))
  return folder
}

/** Atomic. */
export async function keepTurnSnapshot(folder: string, snapshot: Snapshot): Promise<void> {
  const unfinished = join(folder, `${FILE}.new`)
  await writeFile(unfinished, JSON.stringify(snapshot))
  await rename(unfinished, join(folder, FILE))
}

export async function findTurnSnapshot(
  sessionFolder: string,
): Promise<{ folder: string; snapshot: Snapshot } | undefined> {
  const newest = (await numbersIn(sessionFolder)).at(-1)
  if (newest === undefined) return undefined
  const folder = folderOf(sessionFolder, newest)
  const text = await readFile(join(folder, FILE), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : { folder, snapshot: JSON.parse(text) as Snapshot }
}

async function numbersIn(sessionFolder: string): Promise<number[]> {
  const names = await readdir(join(sessionFolder, 'turns')).catch(() => [])
  return names.map(Number).toSorted((a, b) => a - b)
}

function folderOf(sessionFolder: string, number: number): string {
  return join(sessionFolder, 'turns', String(number))
}
