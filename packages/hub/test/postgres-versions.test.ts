// Hubs of two neighbouring versions share a database while they are upgraded one by one: each migration keeps the statements of the version
// before it working. A rollback is refused while a hub lives.
import { readdirSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { MIGRATIONS_FOLDER } from '../src/places.js'
import { Connections } from '../src/store/postgres/connections.js'
import { migrateDown, migrateUp } from '../src/store/postgres/migrations.js'
import { openPostgres } from '../src/store/postgres/postgres-store.js'
import { newPostgresDatabase, query } from './postgres-fixture.js'
import { addRepo, addSession, batchOf, eventOf } from './store-engines.js'

/** From this one on: earlier ones were never used by several hubs. */
const FIRST = '0012_hubs'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

type Column = { place: string; type: string; isFilled: boolean }

function columnsOf(url: string): Promise<Column[]> {
  return query<Column>(
    url,
    `SELECT table_name || '.' || column_name AS "place", data_type AS "type",
       is_nullable = 'YES' OR column_default IS NOT NULL OR is_identity = 'YES' AS "isFilled"
     FROM information_schema.columns WHERE table_schema = current_schema() ORDER BY 1`,
  )
}

function constraintsOf(url: string): Promise<{ place: string }[]> {
  return query(
    url,
    `SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) AS "place" FROM pg_constraint
     WHERE connamespace = current_schema()::regnamespace AND contype IN ('u', 'p', 'c', 'f') ORDER BY 1`,
  )
}

test('each migration leaves the columns of the version before it, fills new ones by itself and adds no condition to known tables', async () => {
  const url = await newPostgresDatabase()
  const db = new Connections(url)
  ends.push(() => db.close())
  const ids = await migrateUp(db)
  const later = ids.filter((id) => id > FIRST)
  expect(readdirSync(MIGRATIONS_FOLDER)).toEqual(expect.arrayContaining(later))
  for (let left = later.length; left > 0; left -= 1) {
    const [columns, constraints] = [await columnsOf(url), await constraintsOf(url)]
    const [undone] = await migrateDown(db, 1)
    const before = await columnsOf(url)
    const tables = new Set(before.map(({ place }) => place.split('.')[0]))
    expect(columns, `${undone}: columns and types stay`).toEqual(expect.arrayContaining(before))
    const known = new Set(before.map(({ place }) => place))
    const added = columns.filter(({ place }) => !known.has(place))
    const unfilled = added.filter(
      ({ place, isFilled }) => !isFilled && tables.has(place.split('.')[0]),
    )
    expect(unfilled, `${undone}: an INSERT of the version before it works`).toEqual([])
    const places = new Set((await constraintsOf(url)).map(({ place }) => place))
    const conditions = constraints.filter(
      ({ place }) =>
        !places.has(place) && tables.has(place.split(' ')[0]?.replaceAll('"', '') ?? ''),
    )
    expect(conditions, `${undone}: a row of the version before it is accepted`).toEqual([])
  }
})

test('the schema goes up and stays while a hub works with it; a rollback is refused until the hub has stopped', async () => {
  const url = await newPostgresDatabase()
  const { store, close } = await openPostgres(url, { machineId: 'a', name: 'studio' })
  const db = new Connections(url)
  ends.push(() => db.close())
  const id = await addSession(store, { repoId: await addRepo(store) })
  await expect(migrateDown(db, 1)).rejects.toThrow(/"studio" uses .* Stop all hubs/)
  await store.events.commit([batchOf(id, { events: [eventOf(id, 2, {})] })])
  await close()
  expect(await migrateDown(db, 1)).toHaveLength(1)
})
