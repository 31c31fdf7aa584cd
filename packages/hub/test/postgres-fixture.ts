// Databases on the PostgreSQL server of the test run (test/setup/postgres-server.ts).
import { Client } from 'pg'
import { newPostgresDatabase } from '../../../test/setup/own-database.js'
import { openPostgres, type PostgresStore } from '../src/store/postgres/postgres-store.js'

export { newPostgresDatabase }

/** Runs plain SQL and returns its rows. */
export async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client(url)
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

/** An empty store. Each worker has one database, whose tables are emptied: that is cheaper than a new one. */
export async function openEmptyPostgres(): Promise<PostgresStore> {
  database ??= newPostgresDatabase()
  const url = await database
  const hub = { machineId: 'test', name: 'test' }
  if (isUsed) await emptyTables(url)
  isUsed = true
  return openPostgres(url, hub)
}
let database: Promise<string> | undefined
let isUsed = false

const TABLES =
  'AgentSession Repo Hub AgentEvent AgentMessage AgentCheckpoint Media MediaFile Credential SearchQueue SessionSearch LoginCode VisiblePage SessionCount'

async function emptyTables(url: string): Promise<void> {
  await query(
    url,
    TABLES.split(' ')
      .map((table) => `DELETE FROM "${table}"`)
      .join(';'),
  )
}
