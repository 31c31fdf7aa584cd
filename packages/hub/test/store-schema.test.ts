// The migrated tables equal prisma/schema.prisma, and their constraints hold.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Database } from '../src/store/sqlite/database.js'
import {
  countRows,
  HUB_FOLDER,
  insert,
  insertSamples,
  NOON,
  SAMPLES,
  TABLES,
  TestDatabase,
  type Row,
} from './store-fixture.js'
import { parseModels } from './store-prisma-models.js'

const SCHEMA = readFileSync(join(HUB_FOLDER, 'prisma/schema.prisma'), 'utf8')
const MODELS = parseModels(SCHEMA)
const SQL_TYPES: Readonly<Record<string, string>> = {
  String: 'TEXT',
  Int: 'INTEGER',
  BigInt: 'INTEGER',
  Boolean: 'BOOLEAN',
  DateTime: 'DATETIME',
}

describe('AgentSession model, AgentMessage model: schema.prisma and the migrated database agree', () => {
  test('on the tables', () => {
    using store = new TestDatabase()
    const tables = all<{ name: string }>(store.db, `PRAGMA table_list`)
      .map(({ name }) => name)
      .filter(
        (name) =>
          !/^sqlite_|^schema_migration$|^SessionCount$|^SessionSearch|^SearchQueue$/.test(name),
      )

    expect(tables.toSorted()).toEqual(MODELS.map(({ name }) => name).toSorted())
    expect(tables.toSorted()).toEqual(TABLES.toSorted())
  })

  test.each(MODELS)('on the columns of $name', ({ name, fields }) => {
    using store = new TestDatabase()
    const columns = all<ColumnInfo>(store.db, `PRAGMA table_info("${name}")`)

    expect(
      columns.map((column) => ({
        name: column.name,
        type: column.type,
        isNullable: column.notnull === 0,
        isId: column.pk === 1,
        hasDefault: column.dflt_value !== null,
      })),
    ).toEqual(fields.map((field) => ({ ...field, type: SQL_TYPES[field.type] })))
  })

  test.each(MODELS)('on the foreign keys of $name', ({ name, relations }) => {
    using store = new TestDatabase()
    const keys = all<ForeignKey>(store.db, `PRAGMA foreign_key_list("${name}")`)

    expect(
      keys.map((key) => ({
        from: key.from,
        to: key.to,
        table: key.table,
        onDelete: key.on_delete,
      })),
    ).toEqual(relations)
    expect(keys.every((key) => key.on_update === 'CASCADE')).toBe(true)
  })

  test.each(MODELS)('on the indexes of $name', ({ name, indexes }) => {
    using store = new TestDatabase()
    const found = indexesOf(store.db, name).filter((index) => !index.isPartial)

    expect(
      found.map(({ columns, isUnique }) => ({ columns, isUnique })).toSorted(byColumns),
    ).toEqual(indexes.toSorted(byColumns))
  })
})

test('the index that Prisma cannot describe makes the prompt of a turn unique', () => {
  using store = new TestDatabase()
  const partial = indexesOf(store.db, 'AgentMessage').filter((index) => index.isPartial)
  expect(partial).toMatchObject([{ columns: ['sessionId', 'turnId'], isUnique: true }])
  insertSamples(store.db)

  const message = { ...SAMPLES['AgentMessage'], id: 'm2', itemId: 'i2' }
  expect(() => insert(store.db, 'AgentMessage', message)).toThrow(/UNIQUE/)
  insert(store.db, 'AgentMessage', { ...message, role: 'agent' })
  insert(store.db, 'AgentMessage', { ...message, id: 'm3', itemId: 'i3', turnId: null })
  insert(store.db, 'AgentMessage', { ...message, id: 'm4', itemId: 'i4', turnId: null })
})

describe('the database refuses', () => {
  const violations: [table: string, change: Row, error: RegExp][] = [
    ['Repo', { id: 'r2' }, /UNIQUE constraint failed: Repo.path/],
    ['Repo', { id: 'r2', path: '/2', missing: 2 }, /Repo_missing_boolean/],
    ['Repo', { id: 'r2', path: '/2', lastSeenAt: '2026-11-15T12:00:00Z' }, /Repo_lastSeenAt_ms/],
    ['Repo', { id: 'r2', path: '/2', createdAt: 1.5 }, /Repo_createdAt_ms/],
    ['AgentSession', { id: 's2', repoId: 'r9' }, /FOREIGN KEY/],
    ['AgentSession', { id: 's2', status: 'idle' }, /AgentSession_status_known/],
    ['AgentSession', { id: 's2', metadata: '{' }, /AgentSession_metadata_json/],
    ['AgentSession', { id: 's2', settings: 'x' }, /AgentSession_settings_json/],
    ['AgentSession', { id: 's2', lastSeq: -1 }, /AgentSession_lastSeq_counts/],
    ['AgentSession', { id: 's2', endedAt: '2026-11-15' }, /AgentSession_endedAt_ms/],
    ['AgentSession', { id: 's2', extensionId: null }, /NOT NULL/],
    ['AgentSession', { id: 's2', pinned: 2 }, /AgentSession_pinned_boolean/],
    ['AgentSession', { id: 's2', archived: 'yes' }, /AgentSession_archived_boolean/],
    ['AgentSession', { id: 's2', turnCount: -1 }, /AgentSession_turnCount_counts/],
    ['AgentSession', { id: 's2', messageCount: 0.5 }, /AgentSession_messageCount_counts/],
    ['AgentSession', { id: 's2', snapshot: '{' }, /AgentSession_snapshot_json/],
    ['AgentMessage', { id: 'm2', turnId: 't2' }, /UNIQUE .*sessionId, AgentMessage.itemId/],
    ['AgentMessage', { id: 'm2', itemId: 'i2', turnId: 't2', sessionId: 's9' }, /FOREIGN KEY/],
    ['AgentMessage', { id: 'm2', itemId: 'i2', role: 'assistant' }, /AgentMessage_role_known/],
    ['AgentMessage', { id: 'm2', itemId: 'i2', content: 'hi' }, /AgentMessage_content_json/],
    ['AgentMessage', { id: 'm2', itemId: 'i2', seq: 0 }, /AgentMessage_seq_counts/],
    ['AgentMessage', { id: 'm2', itemId: 'i2', seq: 5 }, /AgentMessage_updatedSeq_follows/],
    ['AgentMessage', { id: 'm2', itemId: 'i2', timestamp: 'now' }, /AgentMessage_timestamp_ms/],
    ['AgentEvent', {}, /UNIQUE constraint failed: AgentEvent.sessionId, AgentEvent.seq/],
    ['AgentEvent', { seq: 0 }, /AgentEvent_seq_counts/],
    ['AgentEvent', { seq: 'two' }, /AgentEvent_seq_counts/],
    ['AgentEvent', { seq: 2, at: '2026-11-15 12:00:00' }, /AgentEvent_at_ms/],
    ['AgentEvent', { seq: 2, sessionId: 's9' }, /FOREIGN KEY/],
    ['AgentEvent', { seq: 2, data: null }, /NOT NULL/],
    [
      'AgentCheckpoint',
      {},
      /UNIQUE constraint failed: AgentCheckpoint.sessionId, AgentCheckpoint.seq/,
    ],
    ['AgentCheckpoint', { seq: 0 }, /AgentCheckpoint_seq_counts/],
    ['AgentCheckpoint', { seq: 2, steps: -1 }, /AgentCheckpoint_steps_counts/],
    ['AgentCheckpoint', { seq: 2, sessionId: 's9' }, /FOREIGN KEY/],
    ['Media', { id: 'f2', sessionId: 's9' }, /FOREIGN KEY/],
    ['Media', { id: 'f2', byteLength: -1 }, /Media_byteLength_counts/],
    ['Credential', { id: 'c2' }, /UNIQUE constraint failed: Credential.hash/],
    ['Credential', { id: 'c2', hash: 'ef', kind: 'password' }, /Credential_kind_known/],
    ['Credential', { id: 'c2', hash: 'ef', expiresAt: 'never' }, /Credential_expiresAt_ms/],
  ]

  test.each(violations)('%s with %o', (table, change, error) => {
    using store = new TestDatabase()
    insertSamples(store.db)

    expect(() => insert(store.db, table, { ...SAMPLES[table], ...change })).toThrow(error)
    expect(countRows(store.db, table)).toBe(1)
  })
})

test('a repo with sessions cannot be deleted', () => {
  using store = new TestDatabase()
  insertSamples(store.db)

  expect(() => store.db.exec('DELETE FROM Repo')).toThrow(/FOREIGN KEY/)
})

test('deleting a session deletes its messages, events and media, and nothing else', () => {
  using store = new TestDatabase()
  insertSamples(store.db)
  insert(store.db, 'Media', { ...SAMPLES['Media'], id: 'f2', sessionId: null })

  store.db.exec('DELETE FROM AgentSession')

  expect(TABLES.map((table) => countRows(store.db, table))).toEqual([1, 0, 0, 0, 0, 1, 1])
})

test('default times are the current time in milliseconds', () => {
  using store = new TestDatabase()
  const before = Date.now()
  insert(store.db, 'Repo', { id: 'r1', path: '/code/one', name: 'one' })

  const row: { createdAt: number } = store.db.prepare('SELECT createdAt FROM Repo').get()

  expect(row.createdAt).toBeGreaterThanOrEqual(before - 1)
  expect(row.createdAt).toBeLessThanOrEqual(Date.now() + 1)
})

test('an event id is the rowid', () => {
  using store = new TestDatabase()
  insertSamples(store.db)

  expect(all(store.db, 'SELECT id, rowid AS rowid_ FROM AgentEvent')).toEqual([
    { id: 1, rowid_: 1 },
  ])
})

describe('the queries of the hub use an index', () => {
  const queries: [sql: string, index: string][] = [
    [
      'SELECT * FROM AgentEvent WHERE sessionId = ? AND seq > 5 ORDER BY seq',
      'AgentEvent_sessionId_seq_key',
    ],
    ['SELECT * FROM AgentSession ORDER BY createdAt DESC', 'AgentSession_createdAt_idx'],
    [
      'SELECT * FROM AgentSession WHERE repoId = ? ORDER BY createdAt DESC',
      'AgentSession_repoId_createdAt_idx',
    ],
    [
      'SELECT * FROM AgentSession WHERE status = ? ORDER BY createdAt DESC',
      'AgentSession_status_createdAt_idx',
    ],
    [
      'SELECT * FROM AgentMessage WHERE sessionId = ? ORDER BY seq',
      'AgentMessage_sessionId_seq_idx',
    ],
    [
      'SELECT * FROM AgentMessage WHERE sessionId = ? AND seq = 5',
      'AgentMessage_sessionId_seq_idx',
    ],
    [`SELECT * FROM AgentMessage WHERE timestamp > ${NOON}`, 'AgentMessage_timestamp_idx'],
  ]

  test.each(queries)('%s', (sql, index) => {
    using store = new TestDatabase()
    const plan = all<{ detail: string }>(store.db, `EXPLAIN QUERY PLAN ${sql.replace('?', `'s1'`)}`)

    expect(plan.map(({ detail }) => detail).join('\n')).toContain(`USING INDEX ${index}`)
    expect(plan.map(({ detail }) => detail).join('\n')).not.toContain('TEMP B-TREE')
  })
})

interface ColumnInfo {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly pk: number
  readonly dflt_value: string | null
}

interface ForeignKey {
  readonly from: string
  readonly to: string
  readonly table: string
  readonly on_delete: string
  readonly on_update: string
}

interface IndexInfo {
  readonly columns: readonly string[]
  readonly isUnique: boolean
  readonly isPartial: boolean
}

function indexesOf(db: Database, table: string): IndexInfo[] {
  const list = all<{ name: string; unique: number; partial: number; origin: string }>(
    db,
    `PRAGMA index_list("${table}")`,
  )
  return list
    .filter((index) => index.origin !== 'pk')
    .map((index) => ({
      columns: all<{ name: string }>(db, `PRAGMA index_info("${index.name}")`).map(
        ({ name }) => name,
      ),
      isUnique: index.unique === 1,
      isPartial: index.partial === 1,
    }))
}

function byColumns(a: { columns: readonly string[] }, b: { columns: readonly string[] }): number {
  return a.columns.join().localeCompare(b.columns.join())
}

function all<Result>(db: Database, sql: string): Result[] {
  return db.prepare(sql).all()
}
