// The search index follows commits: texts wait in a queue that survives the hub, and no search misses them.
import { expect, test } from 'vitest'
import type { SearchRequest } from '../src/store/search-store.js'
import { migrateDown } from '../src/store/sqlite/migrations.js'
import { SearchIndex } from '../src/store/sqlite/search/search-index.js'
import { sqliteStore } from '../src/store/sqlite/sqlite-store.js'
import { addRepo, addSession, batchOf, eventOf, textOf } from './store-engines.js'
import { countRows, TestDatabase } from './store-fixture.js'

const request = (word: string): SearchRequest => ({
  phrases: [[word]],
  mayBePrefix: false,
  lastWordChars: word.length,
  filter: { scope: {}, statuses: undefined, archived: [false] },
  limit: 10,
})

test('a commit queues its texts, and the next hub finds them', async () => {
  using database = new TestDatabase()
  const store = sqliteStore(database.db)
  const id = await addSession(store, {
    repoId: await addRepo(store),
    title: 'Harbour',
    messages: [textOf(2, 'a lighthouse')],
  })
  expect(countRows(database.db, 'SearchQueue')).toBe(2)
  expect(countRows(database.db, 'SessionSearch')).toBe(0)

  const { search } = sqliteStore(database.db)
  expect((await search.search(request('lighthouse'))).hits).toMatchObject([{ id, seq: 2 }])
  expect((await search.search(request('harbour'))).hits).toMatchObject([{ id, seq: 0 }])
  expect(countRows(database.db, 'SearchQueue')).toBe(0)
})

test('more texts than one slice are indexed, each once, with other work in between', async () => {
  using database = new TestDatabase()
  const store = sqliteStore(database.db)
  const messages = Array.from({ length: 1_200 }, (_, index) => textOf(index + 2, `word${index}`))
  const id = await addSession(store, { repoId: await addRepo(store), messages })
  let ticks = 0
  const watch = setInterval(() => (ticks += 1), 0)
  const index = new SearchIndex(database.db)
  // Each call ends after a while, also on a slow machine.
  while (countRows(database.db, 'SearchQueue') > 0) await index.catchUp()
  clearInterval(watch)
  expect(countRows(database.db, 'SessionSearch')).toBe(1_200)
  expect(ticks).toBeGreaterThan(0)

  // The same text again replaces its words.
  const again = { ...textOf(2, 'another'), itemId: 'text:2', hasRow: true }
  store.events.commit([batchOf(id, { events: [eventOf(id, 1_300)], messages: [again] })])
  expect((await store.search.search(request('word0'))).hits).toEqual([])
  expect((await store.search.search(request('another'))).hits).toMatchObject([{ id, seq: 2 }])
})

test('a flood of texts is merged in steps of their own, never inside of a commit', async () => {
  using database = new TestDatabase()
  const { db } = database
  const store = sqliteStore(db)
  const repoId = await addRepo(store)
  for (let session = 0; session < 60; session += 1) {
    const messages = Array.from({ length: 40 }, (_, at) => textOf(at + 2, words(session * 40 + at)))
    await addSession(store, { repoId, messages })
    while (countRows(db, 'SearchQueue') > 0) await store.search.search(request('w1x'))
  }
  const automerge = db.prepare(`SELECT v FROM SessionSearch_config WHERE k = 'automerge'`).get()
  expect(automerge).toEqual({ v: 0 })
  // The number of a part is in the high bits: https://sqlite.org/fts5.html#fts5_data_structures
  const parts = db.prepare(
    'SELECT count(DISTINCT id >> 37) AS n FROM SessionSearch_data WHERE id > 10',
  )
  expect((parts.get() as { n: number }).n).toBeLessThan(30)
})

/** As no other text has them. */
function words(number: number): string {
  return Array.from({ length: 60 }, (_, at) => `w${(number * 60 + at).toString(36)}x`).join(' ')
}

test('a text that cannot be indexed stays queued', async () => {
  using database = new TestDatabase()
  const store = sqliteStore(database.db)
  await addSession(store, { repoId: await addRepo(store), messages: [textOf(2, 'a lighthouse')] })
  database.db.exec(
    `CREATE TRIGGER full BEFORE DELETE ON SearchQueue BEGIN SELECT RAISE(ABORT, 'disk full'); END`,
  )
  expect((await store.search.search(request('lighthouse'))).hits).toEqual([])
  database.db.exec('DROP TRIGGER full')
  expect((await store.search.search(request('lighthouse'))).hits).toHaveLength(1)
})

test('a rollback to a version without the queue indexes what waits', async () => {
  using database = new TestDatabase()
  const store = sqliteStore(database.db)
  await addSession(store, {
    repoId: await addRepo(store),
    title: 'Harbour',
    messages: [textOf(2, 'a lighthouse')],
  })
  while (migrateDown(database.db, 1)[0] !== '0007_search_queue');
  expect(countRows(database.db, 'SessionSearch')).toBe(2)
})
