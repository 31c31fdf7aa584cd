// Lists, details and search of the same sessions on both engines: SQLite's rows are moved into PostgreSQL by `quayside db import`.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { median, percentile, round } from '../../load/numbers.mjs'
import { ListHub } from '../lists/lists-client.mjs'
import { fillDataDirectory } from '../lists/lists-data.mjs'
import { SCENARIOS } from '../lists/lists.mjs'

const MAIN = fileURLToPath(new URL('../../../packages/hub/bundle/main.js', import.meta.url))
const INDEXED_MS = 10 * 60_000

export async function measureLists({ database, size, rounds, note }) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-bench-engines-')))
  const hubs = []
  try {
    const places = { sqlite: join(folder, 'sqlite'), postgres: join(folder, 'postgres') }
    note(`writing ${size.listed} sessions`)
    fillDataDirectory(join(places.sqlite, 'data'), size.listed)
    mkdirSync(join(places.sqlite, 'workspace'))
    // The first start migrates and indexes.
    await (await ListHub.start(places.sqlite, 0)).stop()
    cpSync(places.sqlite, places.postgres, { recursive: true })
    const url = await database.create()
    note('moving them into PostgreSQL')
    await importInto(url, join(places.postgres, 'data'))
    hubs.push(await ListHub.start(places.sqlite, size.listed))
    hubs.push(await ListHub.start(places.postgres, size.listed, { QUAYSIDE_DATABASE_URL: url }))
    note('indexing them')
    await untilIndexed(database, url)
    await database.query(url, 'VACUUM ANALYZE')
    return await measureAll(hubs, { size, rounds, note })
  } finally {
    for (const hub of hubs) await hub.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function importInto(url, dataDir) {
  const args = [MAIN, 'db', 'import', '--database', url]
  const env = { ...process.env, QUAYSIDE_DATA_DIR: dataDir }
  await promisify(execFile)(process.execPath, args, { env, maxBuffer: 16 * 1024 ** 2 })
}

async function untilIndexed(database, url) {
  const giveUpAt = performance.now() + INDEXED_MS
  for (;;) {
    const [{ left }] = await database.query(
      url,
      'SELECT count(*)::int AS "left" FROM "SearchQueue"',
    )
    if (left === 0) return
    if (performance.now() > giveUpAt) throw new Error(`${left} texts are not in the search index`)
    await sleep(500)
  }
}

async function measureAll([sqlite, postgres], { size, rounds, note }) {
  const wishes = { sqlite: await sqlite.wishes(), postgres: await postgres.wishes() }
  const samples = Object.keys(SCENARIOS).map((name) => ({ name, sqlite: [], postgres: [] }))
  for (let at = 0; at < rounds; at += 1)
    for (const sample of samples) {
      note(`round ${at + 1} of ${rounds}, ${sample.name}`)
      const scenario = SCENARIOS[sample.name]
      sample.sqlite.push(...(await sqlite.measure(scenario, wishes.sqlite, size)))
      sample.postgres.push(...(await postgres.measure(scenario, wishes.postgres, size)))
    }
  return samples.map(({ name, sqlite: one, postgres: other }) => ({
    what: name,
    'SQLite p50': round(median(one)),
    'SQLite p99': round(percentile(one, 0.99)),
    'PostgreSQL p50': round(median(other)),
    'PostgreSQL p99': round(percentile(other, 0.99)),
    '× SQLite': round(median(other) / median(one)),
  }))
}
