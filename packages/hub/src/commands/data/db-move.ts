// `quayside db import` and `quayside db export`: move all data between the SQLite file of a data directory and a PostgreSQL database.
import { resolve } from 'node:path'
import { type Config, ConfigError, loadConfig } from '../../config/config.js'
import { openHubId } from '../../process/process-tag.js'
import { lockDataDirectory } from '../../store/data-lock.js'
import { intoDirectory, outOfDirectory } from '../../store/move/data-directory.js'
import { type LogProof, moveAll, type MoveProof } from '../../store/move/move.js'
import { Connections, cleanText } from '../../store/postgres/connections.js'
import { explainOpening, isDatabaseError } from '../../store/postgres/opening-error.js'
import { intoPostgres, outOfPostgres } from '../../store/postgres/moved-rows.js'
import { makePrivateFolder } from '../../store/data-files.js'
import type { CommandIo } from '../io/command-io.js'
import { formatBytes } from '../io/format-bytes.js'

export type MoveFlags = { readonly database?: string; readonly logs?: boolean }

export async function importData({ logs, ...flags }: MoveFlags, io: CommandIo): Promise<void> {
  const { dataDir, url } = configOf(flags, io)
  const lock = lockDataDirectory(dataDir)
  try {
    const proof = await outOfDirectory(dataDir, (from) =>
      withDatabase(url, (db) =>
        intoPostgres(db, openHubId(dataDir), (to) =>
          moveAll({ from, to, clean: cleanText, ...logsTo(logs, io) }),
        ),
      ),
    )
    report(io, proof, [
      `The data directory ${dataDir} was not changed. It still holds what belongs to this machine: settings of agents, work trees, snapshots.`,
      'Start the hub with the same data directory and --database, or with QUAYSIDE_DATABASE_URL.',
    ])
  } finally {
    lock.release()
  }
}

export async function exportData(
  folder: string | undefined,
  { logs, ...flags }: MoveFlags,
  io: CommandIo,
): Promise<void> {
  const { dataDir, url } = configOf(flags, io)
  const target = folder === undefined ? dataDir : resolve(io.cwd, folder)
  makePrivateFolder(target)
  const lock = lockDataDirectory(target)
  try {
    const proof = await withDatabase(url, (db) =>
      outOfPostgres(db, openHubId(dataDir), (from) =>
        intoDirectory(target, (to) => moveAll({ from, to, ...logsTo(logs, io) })),
      ),
    )
    report(io, proof, [
      'The PostgreSQL database was not changed.',
      `Start the hub without --database, and with QUAYSIDE_DATA_DIR=${target}.`,
    ])
  } finally {
    lock.release()
  }
}

function configOf(flags: Pick<MoveFlags, 'database'>, io: CommandIo): Config & { url: string } {
  const config = loadConfig(flags, io.env, io.cwd)
  if (config.database !== undefined) return { ...config, url: config.database }
  throw new ConfigError(
    'Name the PostgreSQL database with QUAYSIDE_DATABASE_URL or --database, such as postgres://quayside@db.lan/quayside.',
  )
}

async function withDatabase<T>(url: string, work: (db: Connections) => Promise<T>): Promise<T> {
  const db = new Connections(url)
  try {
    await db.findServer()
    return await work(db)
  } catch (error) {
    throw isDatabaseError(error) ? explainOpening(error) : error
  } finally {
    await db.close()
  }
}

function logsTo(isWanted: boolean | undefined, io: CommandIo) {
  const onLog = ({ sessionId, events, sha256 }: LogProof): void => {
    io.stdout.write(`${sessionId}  ${events} events  sha256 ${sha256}\n`)
  }
  return isWanted === true ? { onLog } : {}
}

function report(io: CommandIo, { tables, files, missing }: MoveProof, then: string[]): void {
  const counts = tables.map(({ rows }) => String(rows))
  const width = Math.max(...counts.map((count) => count.length))
  const lines = [
    'Moved, then read again on both sides and found to be the same:',
    ...tables.map(
      ({ title, sha256 }, index) =>
        `  ${title.padEnd(20)} ${counts[index]?.padStart(width)}  sha256 ${sha256}`,
    ),
    `  ${'media files'.padEnd(20)} ${String(files.count).padStart(width)}  ${formatBytes(files.bytes)}, each with the hash that is its name`,
    ...(missing.length === 0
      ? []
      : [
          `  ${missing.length} media files are gone from where they were, or damaged; their uses were left out.`,
        ]),
    ...then,
  ]
  io.stdout.write(`${lines.join('\n')}\n`)
}
