// Hides the secrets that earlier versions stored in the settings of sessions: in their rows and in the events that set them. Runs once for
// each database, before anything copies it.
import type { SessionSettings } from '@quayside/protocol/schemas'
import type { Database } from './database.js'
import { inTransaction } from './transaction.js'

export type SettingsSecrets = {
  /** The settings without secrets. */
  hide(settings: SessionSettings): SessionSettings
  /** The same for the present settings of a session, whose secrets are kept elsewhere, durably. */
  keep(sessionId: string, settings: SessionSettings): SessionSettings
}

export type RedactedSettings = {
  /** The number of changed sessions. */
  readonly sessions: number
  /** Set when the file may still contain the former text. The next call tries again. */
  readonly problem?: unknown
}

/** Values of `PRAGMA user_version`: no row has secrets; neither has any other part of the file. */
const CLEAN_ROWS = 1
const CLEAN_FILE = 2

/** Idempotent. After a crash in between, the next call continues. */
export function redactSettings(db: Database, secrets: SettingsSecrets): RedactedSettings {
  const version = versionOf(db)
  const sessions = version < CLEAN_ROWS ? inTransaction(db, () => redactRows(db, secrets)) : 0
  if (versionOf(db) === CLEAN_FILE) return { sessions }
  try {
    // SQLite leaves copies of rows in its pages and in the write-ahead log when it changes, moves or removes them.
    db.exec(`VACUUM; PRAGMA user_version = ${CLEAN_FILE}; PRAGMA wal_checkpoint(TRUNCATE)`)
    return { sessions }
  } catch (problem) {
    return { sessions, problem }
  }
}

/** No row has secrets. */
export function hasCleanSettings(db: Database): boolean {
  return versionOf(db) >= CLEAN_ROWS
}

/** For a database that is made of rows without secrets. */
export function markCleanSettings(db: Database): void {
  db.exec(`PRAGMA user_version = ${CLEAN_FILE}`)
}

function versionOf(db: Database): number {
  const row: { user_version: number } = db.prepare('PRAGMA user_version').get()
  return row.user_version
}

function redactRows(db: Database, secrets: SettingsSecrets): number {
  const changed = hasSessions(db) ? changeRows(db, secrets) : new Set()
  db.exec(`PRAGMA user_version = ${changed.size > 0 ? CLEAN_ROWS : CLEAN_FILE}`)
  return changed.size
}

function hasSessions(db: Database): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'AgentSession'").get() !== undefined
}

function changeRows(db: Database, secrets: SettingsSecrets): Set<string> {
  const changed = new Set<string>()
  const rows = db.prepare(
    `SELECT id, settings FROM AgentSession WHERE instr(settings, '"mcpServers"')`,
  )
  const setSettings = db.prepare('UPDATE AgentSession SET settings = ? WHERE id = ?')
  for (const { id, settings } of rows.all() as SessionRow[]) {
    const hidden = JSON.stringify(secrets.keep(id, JSON.parse(settings) as SessionSettings))
    if (hidden === settings) continue
    setSettings.run(hidden, id)
    changed.add(id)
  }
  // In the order of the table: the index would visit each of its pages many times.
  const events = db.prepare(
    `SELECT id, sessionId, data FROM AgentEvent NOT INDEXED
     WHERE type IN ('session.created', 'session.updated') AND instr(data, '"mcpServers"')`,
  )
  const setData = db.prepare('UPDATE AgentEvent SET data = ? WHERE id = ?')
  for (const { id, sessionId, data } of events.all() as EventRow[]) {
    const event = JSON.parse(data) as { readonly settings?: SessionSettings }
    const hidden = JSON.stringify({ ...event, settings: secrets.hide(event.settings ?? {}) })
    if (event.settings === undefined || hidden === data) continue
    setData.run(hidden, id)
    changed.add(sessionId)
  }
  return changed
}

type SessionRow = { readonly id: string; readonly settings: string }
type EventRow = { readonly id: number; readonly sessionId: string; readonly data: string }
