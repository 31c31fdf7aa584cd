// The commands for hubs that share a database, whose answers are validated as those of the others.
import { expect } from 'vitest'
import { Walk } from './openapi-walk.js'
import { newPostgresDatabase, query } from './postgres-fixture.js'
import { startTestHub } from './test-hub.js'

/** Returns the ids of the operations that were called. */
export async function walkHubs(): Promise<ReadonlySet<string>> {
  const url = await newPostgresDatabase()
  const env = { QUAYSIDE_DATABASE_URL: url, QUAYSIDE_NAME: 'build' }
  await using shared = await startTestHub({ env, sharesAgent: true })
  await query(
    url,
    `INSERT INTO "Hub" ("id", "machineId", "name", "version", "startedAt", "leaseUntil")
     VALUES ('gone', 'gone', 'cloud', '0', 0, clock_timestamp() - interval '1 s')`,
  )
  const walk = new Walk(shared)
  const drained = await walk.ask('drainHub', '/api/hubs/build/drain', { body: {} })
  expect(drained).toMatchObject({ name: 'build', draining: true, activeSessions: 0 })
  const { hubs } = (await walk.ask('removeHub', '/api/hubs/cloud')) as { hubs: object[] }
  expect(hubs).toMatchObject([{ name: 'build' }])
  return walk.done
}
