// The secrets of MCP servers: the agent gets them; the log, the database, its copies and every answer do not contain them.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionDetail } from '@quayside/protocol'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { ServerSecrets } from '../src/agents/mcp/server-secrets.js'
import { writeBackup } from '../src/store/backup/backup.js'
import { closeDatabase, openDatabase } from '../src/store/sqlite/database.js'
import { redactSettings } from '../src/store/sqlite/redact-settings.js'
import { openEventLog } from './open-event-log.js'
import { TempFolder, TestDatabase } from './store-fixture.js'
import {
  EXTENSIONS,
  startTestHub,
  type TestHub,
  type TestHubOptions,
  TestSession,
} from './test-hub.js'

const SECRET = 'open-sesame'
const AGENT = 'all-inputs'
const SERVERS = [
  {
    name: 'notes',
    command: '/bin/true',
    args: ['--verbose', '--token', `${SECRET}-1`],
    env: [{ name: 'TEAM', value: `${SECRET}-2` }],
  },
  {
    type: 'http',
    name: 'web',
    url: 'http://127.0.0.1:9/mcp',
    headers: [{ name: 'X-Team', value: `${SECRET}-3` }],
  },
]

function digestOf(servers: readonly object[]): string {
  const sorted = (_key: string, value: unknown): unknown =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return createHash('sha256').update(JSON.stringify(servers, sorted)).digest('hex')
}

function startHub({ env, ...options }: TestHubOptions = {}): Promise<TestHub> {
  return startTestHub({ ...options, env: { QUAYSIDE_EXTENSIONS: EXTENSIONS, ...env } })
}

/** The paths of all files below a folder that contain the secret. */
function leaks(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .filter((path) => readFileSync(join(folder, path)).includes(SECRET))
}

function patch(session: TestSession, settings: object): Promise<Response> {
  return session.hub.fetch(session.path, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ settings }),
  })
}

async function answersOf(hub: TestHub, path: string): Promise<string> {
  const parts = ['', '/events', '/export', '/transcript', '/wire']
  const answers = await Promise.all(parts.map((part) => hub.fetch(`${path}${part}`)))
  expect(answers.map(({ status }) => status)).toEqual(parts.map(() => 200))
  return (await Promise.all(answers.map((answer) => answer.text()))).join('\n')
}

async function mcpDigest(session: TestSession): Promise<string> {
  const { turnId } = await session.prompt('mcp-digest')
  await session.feed.until('turn.ended', (data) => data.turnId === turnId)
  return /[0-9a-f]{64}$/.exec(session.feed.text())?.[0] ?? ''
}

test('the agent gets the secrets of its MCP servers, readers and copies do not', async () => {
  const hub = await startHub()
  const data = join(hub.folder, 'data')
  using target = new TempFolder()
  const session = await hub.createSession(AGENT, { settings: { mcpServers: SERVERS } })
  const kept = join('session-secrets', `${session.id}.json`)
  try {
    expect(await mcpDigest(session)).toBe(digestOf(SERVERS))
    expect(await answersOf(hub, session.path)).not.toContain(SECRET)
    expect(JSON.stringify(session.feed.events)).not.toContain(SECRET)
    expect(leaks(data)).toEqual([kept])
    expect(statSync(join(data, kept)).mode & 0o777).toBe(0o600)
    expect(statSync(join(data, 'session-secrets')).mode & 0o777).toBe(0o700)
  } finally {
    await hub.hub.stop()
  }
  const { folder } = writeBackup({ dataDir: data, target: target.file('copy'), version: '0.1.0' })
  expect(leaks(folder)).toEqual([kept])

  await using again = await startHub({ folder: hub.folder })
  await again.post(`${session.path}/resume`, {})
  const resumed = new TestSession(again, session.summary, await again.follow(session.id))
  expect(await mcpDigest(resumed)).toBe(digestOf(SERVERS))
  await again.fetch(`${session.path}?purge=true`, { method: 'DELETE' })
  expect(leaks(data)).toEqual([])
})

test('settings that a client read can be sent back: the stored secrets stay', async () => {
  await using hub = await startHub()
  const session = await hub.createSession(AGENT, { settings: { mcpServers: SERVERS } })
  const { settings = {} } = await hub.get<SessionDetail>(session.path)
  const [notes, web] = settings['mcpServers'] as [object, object]
  const more = {
    ...notes,
    env: [
      ...SERVERS[0]!.env!.map(({ name }) => ({ name, value: { isSet: true } })),
      { name: 'NEW', value: `${SECRET}-4` },
    ],
  }

  expect((await patch(session, { mcpServers: [web, more] })).status).toBe(200)

  const full = { ...SERVERS[0], env: [...SERVERS[0]!.env!, { name: 'NEW', value: `${SECRET}-4` }] }
  expect(await mcpDigest(session)).toBe(digestOf([SERVERS[1]!, full]))
  expect(await answersOf(hub, session.path)).not.toContain(SECRET)

  const unknown = { ...notes, name: 'unknown' }
  const refused = await patch(session, { mcpServers: [unknown] })
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain('args.2 is not stored here: send the value itself')
  expect((await patch(session, { mcpServers: [] })).status).toBe(200)
  expect(leaks(join(hub.folder, 'data'))).toEqual([])
})

test('a session whose secrets are gone works without its servers, and says so', async () => {
  await using hub = await startHub()
  const session = await hub.createSession(AGENT, { settings: { mcpServers: SERVERS } })
  await hub.fetch(session.path, { method: 'DELETE' })
  rmSync(join(hub.folder, 'data', 'session-secrets', `${session.id}.json`))
  await hub.post(`${session.path}/resume`, {})
  const notice = await session.feed.until('notice')
  expect(notice.data.message).toContain('The secrets of the MCP server notes are not stored')
  expect(await mcpDigest(session)).toBe(digestOf([]))
})

test('a session that could not begin leaves no secrets behind', async () => {
  await using hub = await startHub({ env: { AGENT_MAX_SESSIONS: '1' } })
  await hub.createSession(AGENT)
  const { id: repoId } = await hub.firstRepo()
  const input = { repoId, extensionId: AGENT, settings: { mcpServers: SERVERS } }
  expect((await hub.post('/api/sessions', input)).status).toBe(429)
  expect(leaks(join(hub.folder, 'data'))).toEqual([])
})

/** Writes sessions as earlier versions did: with all values, in rows and events. */
async function storeOldSessions(file: string, count: number): Promise<string[]> {
  const db = openDatabase(file, { durability: 'normal' })
  db.exec("INSERT INTO Repo (id, path, name) VALUES ('r1', '/stored/r1', 'r1')")
  const { eventLog } = openEventLog(db)
  const ids = Array.from({ length: count }, () => uuidv7())
  for (const [index, id] of ids.entries()) {
    const data = { repoId: 'r1', extensionId: AGENT, cwd: '/stored/r1' }
    const settings = { mcpServers: SERVERS }
    await eventLog.append(id, { type: 'session.created', data: { ...data, settings } })
    await eventLog.append(id, {
      type: 'session.updated',
      data: { title: 'x'.repeat(index), settings },
    })
    // In every second session they are only in the past.
    if (index % 2 === 1)
      await eventLog.append(id, { type: 'session.updated', data: { settings: {} } })
    await eventLog.append(id, {
      type: 'session.ended',
      data: { status: 'completed', reason: 'user_request' },
    })
  }
  closeDatabase(db)
  return ids
}

test('the start moves the secrets of old rows out of the database, and every trace of them', async () => {
  const first = await startHub()
  await first.hub.stop()
  const data = join(first.folder, 'data')
  const file = join(data, 'quayside.db')
  const db = openDatabase(file, { durability: 'normal' })
  db.exec('PRAGMA user_version = 0')
  closeDatabase(db)
  const ids = await storeOldSessions(file, 12)
  expect(leaks(data)).toContain('quayside.db')

  await using hub = await startHub({ folder: first.folder })
  const kept = ids.filter((_, index) => index % 2 === 0)
  expect(leaks(data).toSorted()).toEqual(kept.map((id) => join('session-secrets', `${id}.json`)))
  const path = `/api/sessions/${ids[0]}`
  expect(await answersOf(hub, path)).not.toContain(SECRET)
  const secrets = new ServerSecrets(data)
  const { settings = {} } = await hub.get<SessionDetail>(path)
  expect(secrets.reveal(ids[0]!, settings)).toEqual({ mcpServers: SERVERS })
  const message =
    'moved the secrets of MCP servers out of the database; backups made before still contain them'
  expect(hub.log.find(message)).toMatchObject([{ sessions: 12 }])
})

test('a move of old secrets that fails halfway changes no row, and the next one completes it', async () => {
  using store = new TestDatabase()
  const { db, folder } = store
  const file = db.location()!
  const ids = await storeOldSessions(file, 3)
  const secrets = new ServerSecrets(folder.path)
  const failing = {
    hide: () => {
      throw new Error('planted')
    },
    keep: secrets.keep.bind(secrets),
  }
  expect(() => redactSettings(db, failing)).toThrow('planted')
  expect(readFileSync(file).includes(SECRET)).toBe(true)
  expect(redactSettings(db, secrets)).toEqual({ sessions: 3 })
  expect(redactSettings(db, secrets)).toEqual({ sessions: 0 })
  const files = [file, `${file}-wal`].filter((path) => existsSync(path))
  expect(files.filter((path) => readFileSync(path).includes(SECRET))).toEqual([])
  expect(readdirSync(join(folder.path, 'session-secrets'))).toEqual(
    [ids[0], ids[2]].map((id) => `${id}.json`),
  )
})

test('files of sessions that do not exist are removed at the start', async () => {
  const first = await startHub()
  await first.hub.stop()
  const secrets = new ServerSecrets(join(first.folder, 'data'))
  secrets.keep('nobody', { mcpServers: SERVERS })
  writeFileSync(join(first.folder, 'data', 'session-secrets', 'some.json.draft'), SECRET)
  await using hub = await startHub({ folder: first.folder })
  await hub.firstRepo()
  expect(leaks(join(hub.folder, 'data'))).toEqual([])
})
