// Several hubs on one PostgreSQL database: they know each other, and each session says where it runs.
import type { HubPlace, KnownHub, SessionList, SessionSummary } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newPostgresDatabase, query } from './postgres-fixture.js'
import { startTestHub, type TestHub } from './test-hub.js'

let url: string
let studio: TestHub
let build: TestHub

beforeAll(async () => {
  url = await newPostgresDatabase()
  studio = await start('studio')
  build = await start('build')
})
afterAll(async () => {
  await studio[Symbol.asyncDispose]()
  await build[Symbol.asyncDispose]()
})

function start(name: string, folder?: string): Promise<TestHub> {
  const env = { QUAYSIDE_DATABASE_URL: url, QUAYSIDE_NAME: name }
  return startTestHub({ env, sharesAgent: true, ...(folder && { folder }) })
}

async function hubsAt(hub: TestHub): Promise<Readonly<Record<string, KnownHub>>> {
  const { hubs } = await hub.get<{ hubs: KnownHub[] }>('/api/hubs')
  return Object.fromEntries(hubs.map((one) => [one.name, one]))
}

async function placeAt(hub: TestHub, id: string): Promise<HubPlace | undefined> {
  const { sessions } = await hub.get<SessionList>('/api/sessions')
  return sessions.find((session) => session.id === id)?.hub
}

test('each hub lists all of them by name, with the address of each, and no token', async () => {
  const [atStudio, atBuild] = [await hubsAt(studio), await hubsAt(build)]
  expect(Object.keys(atStudio)).toEqual(['build', 'studio'])
  expect(atStudio).toMatchObject({
    studio: { state: 'here', address: studio.hub.address },
    build: { state: 'elsewhere', address: build.hub.address },
  })
  expect(atBuild).toMatchObject({ studio: { state: 'elsewhere' }, build: { state: 'here' } })
  expect(JSON.stringify(atStudio)).not.toContain('quayside_hub_')
})

test('a session says where it runs, from the side of each hub, and since when its machine is away', async () => {
  const session = await studio.createSession()
  expect(session.summary.hub).toMatchObject({ name: 'studio', state: 'here' })
  expect(await placeAt(build, session.id)).toMatchObject({ name: 'studio', state: 'elsewhere' })
  const before = Date.now()
  await studio.hub.stop()
  await expect
    .poll(() => placeAt(build, session.id))
    .toMatchObject({ name: 'studio', state: 'away', since: expect.any(String) as string })
  const { since = '' } = (await placeAt(build, session.id)) ?? {}
  expect(Date.parse(since)).toBeGreaterThan(before - 5_000)
  expect(await hubsAt(build)).toMatchObject({ studio: { state: 'away', since } })
  studio = await start('studio', studio.folder)
  // An ended session is where its repository is.
  await expect
    .poll(() => placeAt(build, session.id))
    .toMatchObject({ name: 'studio', state: 'elsewhere' })
  const { hub } = await studio.get<SessionSummary>(session.path)
  expect(hub).toEqual({ id: (await hubsAt(build))['studio']?.id, name: 'studio', state: 'here' })
})

test('a hub whose lease has run out is away', async () => {
  await query(
    url,
    `INSERT INTO "Hub" ("id", "machineId", "name", "version", "startedAt", "leaseUntil", "seenAt")
     VALUES ('gone', 'gone', 'cloud', '0', 0, clock_timestamp() - interval '1 s', '2026-01-31T15:04:05Z')`,
  )
  const { cloud } = await hubsAt(build)
  expect(cloud).toMatchObject({ state: 'away', since: '2026-01-31T15:04:05.000Z' })
})
