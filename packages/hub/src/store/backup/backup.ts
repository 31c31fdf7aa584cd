// Writes a backup: a folder with the database, the media it refers to, all settings, own extensions and a manifest. Works while a hub runs,
// from another process only. The folder gets its name when everything in it is complete and checked.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isAlive } from '../../is-alive.js'
import { copyAgentSetup } from './agent-setup-copy.js'
import { type BackupManifest, MANIFEST_FILE, newManifest } from './backup-manifest.js'
import {
  BACKUPS_FOLDER,
  canLink,
  CONFIG_FILE,
  copyDurably,
  DATABASE_FILE,
  errorCode,
  linkOrCopy,
  makePrivateFolder,
  MEDIA_FOLDER,
  mediaPath,
  sha256Of,
  syncFolder,
  timeStamp,
  writeDurably,
} from '../data-files.js'
import {
  CopyError,
  copyDatabase,
  type DatabaseFacts,
  hasSize,
  mediaOf,
  type MediaUse,
  openForReading,
  requireSound,
} from './database-copy.js'
import { requireNoOpenRestore } from './restore-swap.js'

export type BackupRequest = {
  readonly dataDir: string
  /** The target; an existing folder gets the backup inside it. By default below the data directory. */
  readonly target?: string | undefined
  readonly version: string
}
export type Backup = { readonly folder: string; readonly manifest: BackupManifest }

/** Settings that give access to the hub. */
const SECRET_SETTINGS: readonly string[] = ['QUAYSIDE_TOKEN', 'QUAYSIDE_DATABASE_URL']
/** The running hub may remove media between the copy of the database and theirs. */
const MAX_ATTEMPTS = 3

/** Throws `CopyError` and removes the unfinished backup. */
export function writeBackup({ dataDir, target, version }: BackupRequest): Backup {
  requireNoOpenRestore(dataDir)
  const database = join(dataDir, DATABASE_FILE)
  if (!existsSync(database))
    throw new CopyError(`There is no database in ${dataDir} yet, so there is nothing to back up.`)
  const folder = chooseFolder(dataDir, target)
  const draft = `${folder}.partial-${process.pid}`
  makePrivateFolder(dirname(folder))
  removeAbandonedDrafts(dirname(folder))
  try {
    mkdirSync(draft, { mode: 0o700 })
    const { facts, media } = copyDatabaseAndMedia(dataDir, draft)
    const copy = join(draft, DATABASE_FILE)
    const settings = copySettings(dataDir, draft)
    const bytes = statSync(copy).size
    const manifest = newManifest({
      version,
      ...facts,
      database: { bytes, sha256: sha256Of(copy) },
      media,
      settings,
      agentSetup: copyAgentSetup(dataDir, draft),
    })
    writeDurably(join(draft, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`)
    renameSync(draft, folder)
    syncFolder(dirname(folder))
    return { folder, manifest }
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw toCopyError(folder, error)
  }
}

function chooseFolder(dataDir: string, target: string | undefined): string {
  const name = `quayside-backup-${timeStamp()}`
  if (target === undefined) return join(dataDir, BACKUPS_FOLDER, name)
  const folder = resolve(target)
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found === undefined) return folder
  if (!found.isDirectory() || existsSync(join(folder, MANIFEST_FILE)))
    throw new CopyError(`${folder} exists already. Choose another name for the backup.`)
  return join(folder, name)
}

/** Leftovers of a killed backup, which is never completed. */
function removeAbandonedDrafts(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = /^quayside-backup-.*\.partial-(\d+)$/.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid)))
      rmSync(join(parent, name), { recursive: true, force: true })
  }
}

type Copied = { readonly facts: DatabaseFacts; readonly media: BackupManifest['media'] }

function copyDatabaseAndMedia(dataDir: string, draft: string): Copied {
  const copy = join(draft, DATABASE_FILE)
  for (let attempt = 1; ; attempt += 1) {
    copyOnce(join(dataDir, DATABASE_FILE), copy)
    const { facts, uses } = inspectCopy(copy)
    const missing = copyMedia(dataDir, draft, uses)
    if (missing.length === 0 || attempt === MAX_ATTEMPTS) {
      const kept = uses.filter(({ sha256 }) => !missing.includes(sha256))
      const bytes = kept.reduce((sum, { byteLength }) => sum + byteLength, 0)
      return { facts, media: { files: kept.length, bytes, missing } }
    }
    rmSync(copy)
    rmSync(join(draft, MEDIA_FOLDER), { recursive: true, force: true })
  }
}

function copyOnce(database: string, copy: string): void {
  const db = openForReading(database)
  try {
    copyDatabase(db, copy)
  } finally {
    db.close()
  }
}

function inspectCopy(file: string): { facts: DatabaseFacts; uses: MediaUse[] } {
  const db = openForReading(file)
  try {
    const facts = requireSound(db)
    return { facts, uses: mediaOf(db, facts) }
  } finally {
    db.close()
  }
}

/** Media never change under their name, so a link is as good as a copy. Returns the hashes of missing files. */
function copyMedia(dataDir: string, draft: string, uses: readonly MediaUse[]): string[] {
  const target = join(draft, MEDIA_FOLDER)
  const folders = new Set([draft, target])
  makePrivateFolder(target)
  const earlier = findEarlierBackup(dirname(draft), basename(draft))
  const missing = uses.filter((use) => {
    const to = mediaPath(target, use.sha256)
    makePrivateFolder(dirname(to))
    folders.add(dirname(to))
    const from = mediaPath(join(dataDir, MEDIA_FOLDER), use.sha256)
    return !isCopied(from, to, earlier && mediaPath(earlier, use.sha256))
  })
  for (const folder of folders) syncFolder(folder)
  return missing.map(({ sha256 }) => sha256)
}

/** On another disk than the data, only files of an earlier backup beside this one can be linked. */
function findEarlierBackup(parent: string, except: string): string | undefined {
  const name = readdirSync(parent)
    .filter((entry) => /^quayside-backup-\w+$/.test(entry) && entry !== except)
    .toSorted()
    .at(-1)
  return name === undefined ? undefined : join(parent, name, MEDIA_FOLDER)
}

function isCopied(from: string, to: string, earlier: string | undefined): boolean {
  try {
    if (canLink(from, to)) return true
    const isKnown = earlier !== undefined && hasSize(earlier, statSync(from).size)
    linkOrCopy(isKnown ? earlier : from, to)
    return true
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}

function copySettings(dataDir: string, draft: string): BackupManifest['settings'] {
  const file = join(dataDir, CONFIG_FILE)
  if (!existsSync(file)) return null
  const settings = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  const leftOut = SECRET_SETTINGS.filter((name) => name in settings)
  if (leftOut.length === 0) copyDurably(file, join(draft, CONFIG_FILE))
  else {
    const open = Object.entries(settings).filter(([name]) => !leftOut.includes(name))
    const text = JSON.stringify(Object.fromEntries(open), null, 2)
    writeDurably(join(draft, CONFIG_FILE), `${text}\n`)
  }
  return { leftOut }
}

function toCopyError(folder: string, error: unknown): CopyError {
  if (error instanceof CopyError) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new CopyError(`The backup ${folder} could not be written: ${reason}`, { cause: error })
}
