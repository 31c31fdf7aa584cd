// Faults of the database of one hub: it answers clearly, loses nothing, and recovers by itself. Its password is never printed.
import type { ErrorBody } from '@quayside/protocol'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { loadConfig } from '../src/config/config.js'
import { createHub } from '../src/hub.js'
import { newPostgresDatabase, query } from './postgres-fixture.js'
import { TempFolder } from './store-fixture.js'
import { startTestHub, type TestHub, type TestSession, TOKEN } from './test-hub.js'

const PASSWORD = 'secret-of-the-database'
const ROLE = `hub_${process.pid}_${Date.now().toString(36)}`

/** As an administrator of the server. */
let admin: string
let url: string
let hub: TestHub
let session: TestSession

beforeAll(async () => {
  admin = await newPostgresDatabase()
  const name = new URL(admin).pathname.slice(1)
  await query(
    admin,
    `CREATE ROLE ${ROLE} LOGIN PASSWORD '${PASSWORD}'; ALTER DATABASE ${name} OWNER TO ${ROLE}`,
  )
  url = addressOf(ROLE)
  const env = { QUAYSIDE_DATABASE_URL: url, AGENT_MAX_SESSIONS: '20' }
  hub = await startTestHub({ env, sharesAgent: true })
})
beforeEach(async () => {
  session = await hub.createSession()
})
afterEach(async () => {
  const seqs = session.feed.events.map(({ seq }) => seq)
  expect(seqs).toEqual(seqs.map((_, index) => index + 1))
  expect(hub.log.text).not.toContain(PASSWORD)
})
afterAll(async () => {
  await hub[Symbol.asyncDispose]()
  await query(
    admin,
    `DROP OWNED BY ${ROLE}; ALTER DATABASE ${new URL(admin).pathname.slice(1)} OWNER TO quayside; DROP ROLE ${ROLE}`,
  )
})

function addressOf(role: string): string {
  const address = new URL(admin)
  address.username = role
  address.password = PASSWORD
  return address.href
}

/** Without the check of documented answers: any command may fail so. */
function get(path: string): Promise<Response> {
  return fetch(`${hub.hub.address}${path}`, { headers: { authorization: `Bearer ${TOKEN}` } })
}

async function endConnections(): Promise<void> {
  await query(
    admin,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${ROLE}'`,
  )
}

async function connections(): Promise<number[]> {
  const of = `SELECT pid FROM pg_stat_activity WHERE usename = '${ROLE}'`
  return (await query<{ pid: number }>(admin, of)).map(({ pid }) => pid)
}

test('connections that the server ends are opened again, and a turn goes on', async () => {
  const running = session.run('drip 20 20')
  await session.feed.until('acp.update')
  await endConnections()
  await running
  await endConnections()
  // A reader finds out by its next statement, or has found out before.
  await expect.poll(async () => (await get('/api/sessions')).status).toBe(200)
  expect((await session.run('echo again')).data.stopReason).toBe('end_turn')
})

test('a server without a free connection is reported, and used again when it has one', async () => {
  await query(admin, `ALTER ROLE ${ROLE} CONNECTION LIMIT 0`)
  await endConnections()
  await expect.poll(async () => (await get('/api/sessions')).status).toBe(503)
  const prompted = session.run('echo patience')
  await query(admin, `ALTER ROLE ${ROLE} CONNECTION LIMIT -1`)
  await prompted
  expect((await get('/api/sessions')).status).toBe(200)
})

test('a server that became a standby is left for another connection, and nothing is lost', async () => {
  await query(admin, `ALTER ROLE ${ROLE} SET default_transaction_read_only = on`)
  await endConnections()
  const prompted = session.run('echo patience')
  const tried = new Set<number>()
  await expect
    .poll(async () => {
      for (const pid of await connections()) tried.add(pid)
      return tried.size
    })
    .toBeGreaterThan(4)
  await query(admin, `ALTER ROLE ${ROLE} RESET default_transaction_read_only`)
  await prompted
})

test('a full disk of the server is reported as such, and the session goes on when there is room', async () => {
  const refuse = `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER refused BEFORE INSERT ON "AgentEvent" EXECUTE FUNCTION refuse()`
  await query(admin, refuse)
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ text: 'echo lost' })
  const answer = await fetch(`${hub.hub.address}${session.path}/prompt`, {
    method: 'POST',
    headers,
    body,
  })
  expect(answer.status).toBe(507)
  const { error } = (await answer.json()) as ErrorBody
  expect(error.message).toContain('The disk is full')
  await query(admin, 'DROP TRIGGER refused ON "AgentEvent"; DROP FUNCTION refuse')
  await session.run('echo room')
})

test('a user who may not create tables is told so at the start, without the password', async () => {
  const reader = `reader_${ROLE}`
  await query(admin, `CREATE ROLE ${reader} LOGIN; GRANT USAGE ON SCHEMA public TO ${reader}`)
  using folder = new TempFolder()
  const env = { QUAYSIDE_DATA_DIR: folder.file('data'), QUAYSIDE_DATABASE_URL: addressOf(reader) }
  const started = createHub(loadConfig({ port: '0' }, env, folder.path))
  const message = await started.then(String, (error: Error) => error.message)
  expect(message).toMatch(/cannot be used: permission denied .* ALTER DATABASE/)
  expect(message).not.toContain(PASSWORD)
  await query(admin, `DROP OWNED BY ${reader}; DROP ROLE ${reader}`)
})
