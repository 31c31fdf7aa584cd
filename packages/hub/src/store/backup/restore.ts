// Replaces the present data with a backup, and sets them aside without deleting anything. The hub must not run: the caller
// holds the data directory's lock. The new data are complete and checked before the present ones are touched.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { copyAgentSetup } from './agent-setup-copy.js'
import { type BackupManifest, MANIFEST_FILE, readManifest } from './backup-manifest.js'
import {
  CONFIG_FILE,
  copyDurably,
  DATABASE_FILE,
  linkOrCopy,
  makePrivateFolder,
  MEDIA_FOLDER,
  mediaPath,
  SET_ASIDE_PREFIX,
  sha256Of,
  syncFile,
  syncFolder,
  timeStamp,
  writeDurably,
} from '../data-files.js'
import { findLockHolder } from '../data-lock.js'
import {
  CopyError,
  type DatabaseFacts,
  hasSize,
  mediaOf,
  type MediaUse,
  requireSound,
} from './database-copy.js'
import { closeDatabase, openDatabase } from '../sqlite/database.js'
import { migrateUp } from '../sqlite/migrations.js'
import { commitSwap, finishRestore, requireOneFileSystem, STAGE_PREFIX } from './restore-swap.js'

export type Restored = {
  /** True when this very restore had been interrupted and was only completed. */
  readonly wasInterrupted: boolean
  readonly aside: string | undefined
  /** Migrations that ran on an older backup. */
  readonly migrated: readonly string[]
  /** Hashes of media that are missing or damaged in the backup. */
  readonly missingMedia: readonly string[]
  /** Secret settings: a backup never contains them, and the present config.json does not either. */
  readonly missingSettings: readonly string[]
  readonly facts: DatabaseFacts | undefined
}

/** `from` is a backup, a folder that an earlier restore set aside, or a single copy of the database. Throws `CopyError`. */
export function restoreBackup(from: string, dataDir: string): Restored {
  const source = findSource(resolve(from), resolve(dataDir))
  const interrupted = finishRestore(dataDir)
  if (interrupted?.source === source.path)
    return { ...NOTHING, wasInterrupted: true, aside: interrupted.aside }
  requireOneFileSystem(dataDir)
  const time = timeStamp()
  const stage = join(dataDir, `${STAGE_PREFIX}${time}`)
  let staged: Staged
  try {
    mkdirSync(stage, { mode: 0o700 })
    staged = fillStage(source, stage, dataDir)
  } catch (error) {
    rmSync(stage, { recursive: true, force: true })
    throw toCopyError(source.path, error)
  }
  const swap = { source: source.path, stage: `${STAGE_PREFIX}${time}` }
  const { aside } = commitSwap(dataDir, { ...swap, aside: `${SET_ASIDE_PREFIX}${time}` })
  return { ...staged, wasInterrupted: false, aside }
}

type Source = {
  readonly path: string
  readonly database: string
  /** Absent for a single database: the present media, settings and extensions stay. */
  readonly folder?: string
  readonly manifest?: BackupManifest
}
type Staged = Omit<Restored, 'wasInterrupted' | 'aside'>

const NOTHING: Staged = { migrated: [], missingMedia: [], missingSettings: [], facts: undefined }

function findSource(path: string, dataDir: string): Source {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw new CopyError(`There is no backup at ${path}.`)
  if (path === join(dataDir, DATABASE_FILE) || path === dataDir)
    throw new CopyError(`${path} is where the present data are, not a backup.`)
  if (!found.isDirectory()) return { path, database: path }
  const database = join(path, DATABASE_FILE)
  if (!existsSync(database))
    throw new CopyError(`${path} is not a Quayside backup: it has no ${DATABASE_FILE}.`)
  const common = { path, database, folder: path }
  if (existsSync(join(path, MANIFEST_FILE))) return { ...common, manifest: readManifest(path) }
  if (findLockHolder(path) !== undefined)
    throw new CopyError(
      `${path} is the data directory of a hub that runs. Make a backup of it with: quayside backup`,
    )
  return common
}

function fillStage(source: Source, stage: string, dataDir: string): Staged {
  requireUnchanged(source)
  const { facts, uses, migrated } = stageDatabase(source, stage)
  const missingMedia = source.folder === undefined ? [] : stageMedia(source.folder, stage, uses)
  const missingSettings = stageSettings(source, stage, dataDir)
  stageAgentSetup(source, stage)
  syncFolder(stage)
  return { facts, migrated, missingMedia, missingSettings }
}

function requireUnchanged({ path, database, manifest }: Source): void {
  if (manifest === undefined) return
  const { bytes, sha256 } = manifest.database
  if (!hasSize(database, bytes) || sha256Of(database) !== sha256)
    throw new CopyError(
      `The backup ${path} is damaged: its database is not the one that its manifest describes. ` +
        'Nothing was changed. Use another backup.',
    )
}

type StagedDatabase = { facts: DatabaseFacts; uses: MediaUse[]; migrated: string[] }

function stageDatabase({ path, database, manifest }: Source, stage: string): StagedDatabase {
  const file = join(stage, DATABASE_FILE)
  copyDurably(database, file)
  // Data that were set aside after a crash have their last commits there.
  if (existsSync(`${database}-wal`)) copyDurably(`${database}-wal`, `${file}-wal`)
  const db = openDatabase(file, { durability: 'full' })
  try {
    const before = requireSound(db)
    if (manifest !== undefined) requireSameCounts(path, manifest, before)
    const migrated = migrate(path, () => migrateUp(db))
    const facts = migrated.length === 0 ? before : requireSound(db)
    return { facts, migrated, uses: mediaOf(db, facts) }
  } finally {
    closeDatabase(db)
    for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
    syncFile(file)
  }
}

function requireSameCounts(path: string, manifest: BackupManifest, facts: DatabaseFacts): void {
  for (const [table, count] of Object.entries(manifest.counts))
    if (facts.counts[table] !== count)
      throw new CopyError(
        `The backup ${path} is damaged: ${table} should have ${count} rows and has ${facts.counts[table] ?? 0}.`,
      )
}

/** Runs on the copy. The error message names the copy, so it is reworded for the backup. */
function migrate(path: string, up: () => string[]): string[] {
  try {
    return up()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const isNewer = /made by a newer hub/.test(reason)
    throw new CopyError(
      isNewer
        ? `The backup ${path} was made by a newer version of Quayside. Nothing was changed. ` +
            'Install that version or a newer one (npm install -g quayside@latest), then restore with it.'
        : `The backup ${path} cannot be brought to this version's shape. Nothing was changed. ${reason}`,
      { cause: error },
    )
  }
}

/** Returns the hashes that are missing or damaged: the rest of the backup is still useful. */
function stageMedia(folder: string, stage: string, uses: readonly MediaUse[]): string[] {
  const target = join(stage, MEDIA_FOLDER)
  makePrivateFolder(target)
  const missing = uses.filter(({ sha256, byteLength }) => {
    const from = mediaPath(join(folder, MEDIA_FOLDER), sha256)
    if (!hasSize(from, byteLength) || sha256Of(from) !== sha256) return true
    const to = mediaPath(target, sha256)
    makePrivateFolder(dirname(to))
    linkOrCopy(from, to)
    return false
  })
  for (const name of readdirSync(target)) syncFolder(join(target, name))
  syncFolder(target)
  return missing.map(({ sha256 }) => sha256)
}

/** A backup has no secrets: those of the present settings are kept. Returns the ones that neither has. */
function stageSettings({ folder, manifest }: Source, stage: string, dataDir: string): string[] {
  const file = folder === undefined ? undefined : join(folder, CONFIG_FILE)
  if (file === undefined || !existsSync(file)) return []
  const leftOut = manifest?.settings?.leftOut ?? []
  const present = leftOut.length === 0 ? {} : readSettings(join(dataDir, CONFIG_FILE))
  const kept = Object.fromEntries(
    Object.entries(present).filter(([name]) => leftOut.includes(name)),
  )
  const settings = { ...readSettings(file), ...kept }
  writeDurably(join(stage, CONFIG_FILE), `${JSON.stringify(settings, null, 2)}\n`)
  return leftOut.filter((name) => !(name in kept))
}

/** Parts that the backup does not contain stay as they are. */
function stageAgentSetup({ path, folder, manifest }: Source, stage: string): void {
  if (folder === undefined) return
  const files = copyAgentSetup(folder, stage)
  const { agentSetup } = manifest ?? {}
  if (agentSetup === undefined || isDeepStrictEqual(files, agentSetup)) return
  const names = Object.keys({ ...agentSetup, ...files })
  const changed = names.filter((name) => files[name] !== agentSetup[name])
  throw new CopyError(
    `The backup ${path} is damaged: ${changed.join(', ')} is not what its manifest describes. ` +
      'Nothing was changed. Use another backup.',
  )
}

function readSettings(file: string): Record<string, unknown> {
  if (!existsSync(file)) return {}
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  } catch {
    // It is about to be set aside as it is.
    return {}
  }
}

function toCopyError(path: string, error: unknown): CopyError {
  if (error instanceof CopyError) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new CopyError(`The backup ${path} could not be restored: ${reason} Nothing was changed.`, {
    cause: error,
  })
}
