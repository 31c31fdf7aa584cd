// Swaps the data in a restore. A kill -9 at any point can be finished later: the new data are complete in one folder
// (the stage), and restore.json says so until everything is done.
import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import {
  AGENT_SETUP,
  CONFIG_FILE,
  DATABASE_FILE,
  makePrivateFolder,
  MEDIA_FOLDER,
  SET_ASIDE_PREFIX,
  syncFolder,
  writeDurably,
} from '../data-files.js'
import { CopyError } from './database-copy.js'

const JOURNAL_FILE = 'restore.json'
export const STAGE_PREFIX = 'restoring-'

const BESIDE_DATABASE = [MEDIA_FOLDER, CONFIG_FILE, ...AGENT_SETUP]

const journalSchema = z.object({
  source: z.string(),
  stage: z.string().regex(/^restoring-\w+$/),
  aside: z.string().regex(/^before-restore-\w+$/),
})

export type Swap = z.infer<typeof journalSchema>
export type FinishedRestore = {
  readonly source: string
  /** The folder of the earlier data; undefined when there were none. */
  readonly aside: string | undefined
}

/** Commits the restore: it is completed now or at the next start. The stage must be complete and on the disk. */
export function commitSwap(dataDir: string, swap: Swap): FinishedRestore {
  writeDurably(join(dataDir, JOURNAL_FILE), `${JSON.stringify(swap)}\n`)
  return finish(dataDir, swap)
}

/**
 * Completes an interrupted restore, and removes the leftovers of one that was not committed. Under the data directory's lock, before
 * the database is opened: between two renames there may be none, and opening would create an empty one.
 */
export function finishRestore(dataDir: string): FinishedRestore | undefined {
  const swap = findOpenSwap(dataDir)
  if (swap !== undefined) return finish(dataDir, swap)
  removeLeftovers(dataDir)
  return undefined
}

/** For commands that only read, and so cannot finish a restore. Throws `CopyError`. */
export function requireNoOpenRestore(dataDir: string): void {
  if (findOpenSwap(dataDir) !== undefined)
    throw new CopyError(
      `A restore in ${dataDir} was interrupted. Start the hub, or restore again: both finish it first.`,
    )
}

/** A rename across file systems is not one step. Throws `CopyError`. */
export function requireOneFileSystem(dataDir: string): void {
  const { dev } = lstatSync(dataDir)
  for (const name of [...BESIDE_DATABASE, DATABASE_FILE]) {
    const found = lstatSync(join(dataDir, name), { throwIfNoEntry: false })
    if (found !== undefined && found.dev !== dev)
      throw new CopyError(
        `${join(dataDir, name)} is a mount of its own and cannot be set aside. Nothing was changed. ` +
          'Restore into a fresh data directory with QUAYSIDE_DATA_DIR instead.',
      )
  }
}

function findOpenSwap(dataDir: string): Swap | undefined {
  const file = join(dataDir, JOURNAL_FILE)
  if (!existsSync(file)) return undefined
  try {
    return journalSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw new CopyError(
      `${file} is damaged. An interrupted restore left the new data in a folder ${STAGE_PREFIX}…, the earlier in ${SET_ASIDE_PREFIX}…, ` +
        `both in ${dataDir}. Put the ones you want in place, then remove ${file}.`,
      { cause: error },
    )
  }
}

function finish(dataDir: string, swap: Swap): FinishedRestore {
  const stage = join(dataDir, swap.stage)
  const aside = join(dataDir, swap.aside)
  const folders: Folders = { dataDir, stage, aside }
  for (const name of BESIDE_DATABASE) putInPlace(folders, name)
  // A write-ahead log belongs to the database beside it and would damage another one.
  if (existsSync(join(stage, DATABASE_FILE)))
    for (const suffix of ['-wal', '-shm']) setAside(folders, `${DATABASE_FILE}${suffix}`)
  putInPlace(folders, DATABASE_FILE)
  if (existsSync(aside)) syncFolder(aside)
  syncFolder(dataDir)
  rmSync(join(dataDir, JOURNAL_FILE))
  syncFolder(dataDir)
  removeLeftovers(dataDir)
  return { source: swap.source, aside: existsSync(aside) ? aside : undefined }
}

type Folders = { readonly dataDir: string; readonly stage: string; readonly aside: string }

/** Idempotent: files that are no longer in the stage are in place already. */
function putInPlace(folders: Folders, name: string): void {
  const staged = join(folders.stage, name)
  if (!existsSync(staged)) return
  setAside(folders, name)
  renameSync(staged, join(folders.dataDir, name))
}

function setAside({ dataDir, aside }: Folders, name: string): void {
  const present = join(dataDir, name)
  if (lstatSync(present, { throwIfNoEntry: false }) === undefined) return
  makePrivateFolder(aside)
  let target = join(aside, name)
  // The plain name is taken by the data from before; a file that was created during an interrupted restore gets a number.
  for (let number = 2; existsSync(target); number += 1) target = join(aside, `${name}.${number}`)
  renameSync(present, target)
}

function removeLeftovers(dataDir: string): void {
  for (const name of readdirSync(dataDir))
    if (name.startsWith(STAGE_PREFIX) || name === `${JOURNAL_FILE}.draft`)
      rmSync(join(dataDir, name), { recursive: true, force: true })
}
