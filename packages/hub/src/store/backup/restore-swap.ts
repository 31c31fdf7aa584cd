// The moment of a restore in which data change places, made so that kill -9 at any point can be finished later:
// what is to be put in place is complete in one folder, and restore.json says so until everything is done.
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
  /** Where the earlier data lie; undefined when there were none. */
  readonly aside: string | undefined
}

/** From here on the restore happens, if not now then at the next start. The stage must be complete and on the disk. */
export function commitSwap(dataDir: string, swap: Swap): FinishedRestore {
  writeDurably(join(dataDir, JOURNAL_FILE), `${JSON.stringify(swap)}\n`)
  return finish(dataDir, swap)
}

/**
 * Completes a restore that was interrupted, and removes what one left that had not begun. Under the data directory's lock, before the
 * database is opened: between two renames there may be none, and opening would make an empty one.
 */
export function finishRestore(dataDir: string): FinishedRestore | undefined {
  const swap = findOpenSwap(dataDir)
  if (swap !== undefined) return finish(dataDir, swap)
  removeLeftovers(dataDir)
  return undefined
}

/** For commands that only read and therefore do not finish it. Throws `CopyError`. */
export function requireNoOpenRestore(dataDir: string): void {
  if (findOpenSwap(dataDir) !== undefined)
    throw new CopyError(
      `A restore in ${dataDir} was interrupted. Start the hub, or restore again: both finish it first.`,
    )
}

/** What a rename would have to carry across file systems cannot change places in one step. */
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
  const place: Place = { dataDir, stage, aside }
  for (const name of BESIDE_DATABASE) putInPlace(place, name)
  // A write-ahead log belongs to the database beside it and would spoil another one.
  if (existsSync(join(stage, DATABASE_FILE)))
    for (const suffix of ['-wal', '-shm']) setAside(place, `${DATABASE_FILE}${suffix}`)
  putInPlace(place, DATABASE_FILE)
  if (existsSync(aside)) syncFolder(aside)
  syncFolder(dataDir)
  rmSync(join(dataDir, JOURNAL_FILE))
  syncFolder(dataDir)
  removeLeftovers(dataDir)
  return { source: swap.source, aside: existsSync(aside) ? aside : undefined }
}

type Place = { readonly dataDir: string; readonly stage: string; readonly aside: string }

/** May be repeated: what is no longer in the stage is in place already. */
function putInPlace(place: Place, name: string): void {
  const staged = join(place.stage, name)
  if (!existsSync(staged)) return
  setAside(place, name)
  renameSync(staged, join(place.dataDir, name))
}

function setAside({ dataDir, aside }: Place, name: string): void {
  const present = join(dataDir, name)
  if (lstatSync(present, { throwIfNoEntry: false }) === undefined) return
  makePrivateFolder(aside)
  let target = join(aside, name)
  // Somebody made a new one in the middle of an interrupted restore; the first is the one that matters.
  for (let number = 2; existsSync(target); number += 1) target = join(aside, `${name}.${number}`)
  renameSync(present, target)
}

function removeLeftovers(dataDir: string): void {
  for (const name of readdirSync(dataDir))
    if (name.startsWith(STAGE_PREFIX) || name === `${JOURNAL_FILE}.draft`)
      rmSync(join(dataDir, name), { recursive: true, force: true })
}
