// The migration 0002_lists: its result for existing rows, and triggers that keep counts and search up to date.
import { expect, test } from 'vitest'
import type { Database } from '../src/store/sqlite/database.js'
import { migrateDown, migrateUp } from '../src/store/sqlite/migrations.js'
import {
  countRows,
  insert,
  insertSamples,
  NOON,
  SAMPLES,
  TempFolder,
  TestDatabase,
} from './store-fixture.js'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { MIGRATIONS_FOLDER } from '../src/places.js'

const KIND = { repoId: 'r1', extensionId: 'demo' }

test('rows of an older hub are numbered, counted and searchable; down and up again keep them', () => {
  using store = new TestDatabase({ migrated: false })
  using first = firstMigration()
  migrateUp(store.db, first.path)
  insertOldRows(store.db)
  migrateUp(store.db)

  for (let round = 0; round < 2; round += 1) {
    expect(sessionsOf(store.db)).toMatchObject([
      { id: 's0', number: 1, turnCount: 0, messageCount: 0, pinned: 0, archived: 0 },
      { id: 's1', number: 2, turnCount: 1, messageCount: 5, pinned: 0, archived: 0 },
    ])
    expect(find(store.db, 'naive')).toEqual([{ number: 2, seq: 1 }])
    expect(find(store.db, 'resume')).toEqual([{ number: 2, seq: 2 }])
    expect(find(store.db, 'uber')).toEqual([{ number: 1, seq: 0 }])
    expect(find(store.db, 'hidden OR unfinished OR ls')).toEqual([])
    expect(totals(store.db)).toEqual([{ ...KIND, status: 'active', archived: 0, sessions: 2 }])

    const down = migrateDown(store.db, countRows(store.db, 'schema_migration') - 1)
    expect(down.at(-1)).toBe('0002_lists')
    expect(countRows(store.db, 'AgentMessage')).toBe(5)
    expect(Object.keys(sessionsOf(store.db)[0] ?? {})).not.toContain('pinned')
    migrateUp(store.db)
  }
})

test('counts follow sessions as they come, change and go', () => {
  using store = new TestDatabase()
  insertSamples(store.db)
  insert(store.db, 'AgentSession', { ...SAMPLES['AgentSession'], id: 's2' })
  store.db.exec(`UPDATE AgentSession SET status = 'error' WHERE id = 's2'`)
  store.db.exec(`UPDATE AgentSession SET archived = 1 WHERE id = 's2'`)
  expect(totals(store.db).filter(({ sessions }) => sessions !== 0)).toEqual([
    { ...KIND, status: 'active', archived: 0, sessions: 1 },
    { ...KIND, status: 'error', archived: 1, sessions: 1 },
  ])

  store.db.exec('DELETE FROM AgentSession')
  expect(totals(store.db).every(({ sessions }) => sessions === 0)).toBe(true)
})

test('counts by agent are made of the sessions there are, and are given up without losing any', () => {
  using store = new TestDatabase()
  const down = migrateDown(store.db, countRows(store.db, 'schema_migration') - 4)
  expect(down.at(-1)).toBe('0005_agents')
  insertSamples(store.db)
  insert(store.db, 'AgentSession', { ...SAMPLES['AgentSession'], id: 's2', extensionId: 'gemini' })
  const together = [{ repoId: 'r1', status: 'active', archived: 0, sessions: 2 }]
  expect(totals(store.db)).toEqual(together)

  migrateUp(store.db)
  const each = { repoId: 'r1', status: 'active', archived: 0, sessions: 1 }
  expect(totals(store.db)).toEqual([
    { ...each, extensionId: 'demo' },
    { ...each, extensionId: 'gemini' },
  ])
  migrateDown(store.db, down.length)
  expect(totals(store.db)).toEqual(together)
})

test('every filter of a list reads ranges of an index, in the order of the list', () => {
  using store = new TestDatabase()
  const lists = ['repoId', 'extensionId', 'repoId,extensionId'].map((names) => names.split(','))
  for (const names of lists) {
    const scope = names.map((name) => `${name} = 'x'`).join(' AND ')
    const plan = store.db
      .prepare(
        `EXPLAIN QUERY PLAN SELECT createdAt, id FROM AgentSession
         WHERE archived = 0 AND status = 'error' AND ${scope} ORDER BY createdAt DESC, id DESC`,
      )
      .all()
      .map(({ detail }) => detail)
    const conditions = [...names, 'status', 'archived'].map((name) => `${name}=?`).join(' AND ')
    expect(plan).toEqual([expect.stringMatching(/USING COVERING INDEX/)])
    expect(plan).toEqual([expect.stringContaining(`(${conditions})`)])
  }
})

test('a deleted session is not found any more, and its neighbours are', () => {
  using store = new TestDatabase({ migrated: false })
  using first = firstMigration()
  migrateUp(store.db, first.path)
  insertOldRows(store.db)
  migrateUp(store.db)

  store.db.exec(`DELETE FROM AgentSession WHERE id = 's1'`)

  expect(find(store.db, 'naive OR resume OR uber')).toEqual([{ number: 1, seq: 0 }])
  expect(() =>
    store.db.exec(`INSERT INTO SessionSearch (SessionSearch) VALUES ('integrity-check')`),
  ).not.toThrow()
})

test('search still finds its rows after a VACUUM', () => {
  using store = new TestDatabase({ migrated: false })
  using first = firstMigration()
  migrateUp(store.db, first.path)
  insertOldRows(store.db)
  migrateUp(store.db)
  store.db.exec(`DELETE FROM AgentSession WHERE id = 's0'; VACUUM`)

  expect(find(store.db, 'naive')).toEqual([{ number: 2, seq: 1 }])
})

function firstMigration(): TempFolder {
  const folder = new TempFolder()
  cpSync(join(MIGRATIONS_FOLDER, '0001_init'), folder.file('0001_init'), { recursive: true })
  return folder
}

function insertOldRows(db: Database): void {
  insertSamples(db)
  db.exec('DELETE FROM AgentMessage')
  insert(db, 'AgentSession', {
    ...SAMPLES['AgentSession'],
    id: 's0',
    title: 'Über',
    createdAt: NOON - 1,
  })
  const texts: [role: string, content: object, partial: number][] = [
    ['user', { type: 'text', text: 'a naïve prompt' }, 0],
    ['agent', { type: 'text', text: 'My résumé.' }, 0],
    ['agent', { type: 'thought', text: 'hidden' }, 0],
    ['agent', { type: 'text', text: 'unfinished' }, 1],
    ['system', { type: 'tool', tool: 'ls', text: 'ls' }, 0],
  ]
  for (const [index, [role, content, partial]] of texts.entries())
    insert(db, 'AgentMessage', {
      ...SAMPLES['AgentMessage'],
      id: `m${index}`,
      itemId: `i${index}`,
      role,
      content: JSON.stringify(content),
      partial,
      seq: index + 1,
      updatedSeq: index + 1,
    })
}

function sessionsOf(db: Database): Record<string, unknown>[] {
  return db.prepare('SELECT * FROM AgentSession ORDER BY id').all()
}

function find(db: Database, match: string): { number: number; seq: number }[] {
  return db
    .prepare(
      `SELECT rowid >> 32 AS number, rowid & 4294967295 AS seq FROM SessionSearch WHERE SessionSearch MATCH ?`,
    )
    .all(match)
}

function totals(db: Database): { sessions: number }[] {
  return db.prepare('SELECT * FROM SessionCount ORDER BY 2, status, archived').all()
}
