// `quayside db import` and `quayside db export` on real engines: a data directory with everything in it goes to PostgreSQL and back,
// and is the same.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CreatedToken, SessionList } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { intoDirectory, outOfDirectory } from '../src/store/move/data-directory.js'
import { moveAll } from '../src/store/move/move.js'
import { closeDatabase, openDatabase } from '../src/store/sqlite/database.js'
import { quayside } from './command-run.js'
import { newPostgresDatabase, query } from './postgres-fixture.js'
import { PostgresProxy } from './postgres-proxy.js'
import { PushService } from './push-service.js'
import { TempFolder } from './store-fixture.js'
import { startTestHub, type TestHub } from './test-hub.js'

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])

let hub: TestHub
let dataDir: string
let url: string
let service: PushService
let phone: CreatedToken
let revoked: CreatedToken
let removed: string
/** By session. */
let exported: Record<string, string>
let original: readonly string[]
const outside = new TempFolder()
const back = outside.file('back')

beforeAll(async () => {
  service = await PushService.start()
  hub = await start({})
  dataDir = join(hub.folder, 'data')
  await fill()
  await hub.hub.stop()
  hub = await start({ folder: hub.folder })
  exported = await exportAll()
  await hub.hub.stop()
  markRemoved()
  original = dump(dataDir)
  url = await newPostgresDatabase()
})
afterAll(async () => {
  await hub[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
  outside[Symbol.dispose]()
})

function start({ folder, env = {} }: { folder?: string; env?: Record<string, string> }) {
  const both = { AGENT_MAX_SESSIONS: '20', QUAYSIDE_PUSH_ORIGINS: service.origin, ...env }
  return startTestHub({ sharesAgent: true, env: both, ...(folder && { folder }) })
}

/** A fork, media, a long text, checkpoints, a queued prompt, a revoked token and a push subscription. */
async function fill(): Promise<void> {
  const first = await hub.createSession(undefined, { title: 'Lighthouse \u{1F6A2}' })
  await first.run('echo one')
  await first.run('flood 100 50000')
  const image = { type: 'image', mimeType: 'image/png', data: PNG.toString('base64') }
  const text = `echo ${'so viel Text '.repeat(20_000)}`
  const prompted = await hub.post(`${first.path}/prompt`, {
    prompt: [{ type: 'text', text }, image],
  })
  const { turnId } = (await prompted.json()) as { turnId: string }
  await first.feed.until('turn.ended', (data) => data.turnId === turnId)
  expect((await hub.post(`${first.path}/fork`, {})).status).toBe(201)
  const other = await hub.createSession(undefined, { title: 'A half: \uD800 and none: \0' })
  removed = other.id
  await other.run('echo other')
  const asking = await hub.createSession()
  await asking.prompt('ask')
  await asking.feed.until('permission.requested')
  await asking.prompt('echo queued')
  ;[phone, revoked] = [await newToken('phone'), await newToken('revoked')]
  const headers = { authorization: `Bearer ${phone.token}`, 'content-type': 'application/json' }
  const body = JSON.stringify(service.newDevice().subscription())
  await hub.fetch('/api/push/subscription', { method: 'PUT', headers, body })
  expect((await hub.fetch(`/api/tokens/${revoked.id}`, { method: 'DELETE' })).status).toBe(204)
}

async function newToken(name: string): Promise<CreatedToken> {
  return (await (await hub.post('/api/tokens', { name, scope: 'write' })).json()) as CreatedToken
}

async function exportAll(): Promise<Record<string, string>> {
  const { sessions } = await hub.get<SessionList>('/api/sessions')
  const exports = sessions.map(async ({ id }) => {
    const events = await hub.fetch(`/api/sessions/${id}/events`)
    const page = await hub.fetch(`/api/sessions/${id}/export?format=md`)
    return [id, `${await events.text()}\n${await page.text()}`] as const
  })
  return Object.fromEntries(await Promise.all(exports))
}

/** A session that is being removed, as a crash leaves it, and more repositories than one batch has. */
function markRemoved(): void {
  const db = openDatabase(join(dataDir, 'quayside.db'), { durability: 'normal' })
  db.exec(
    `UPDATE AgentSession SET metadata = json_set(metadata, '$.removing', json('true')) WHERE title LIKE 'A half%'`,
  )
  db.exec(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1234)
     INSERT INTO Repo (id, path, name, missing) SELECT 'gone-' || i, '/gone/' || i, 'gone', 1 FROM n`,
  )
  closeDatabase(db)
}

const KEYS: Readonly<Record<string, string>> = {
  Repo: 'id',
  AgentSession: 'id',
  AgentEvent: 'sessionId, seq',
  AgentMessage: 'id',
  AgentCheckpoint: 'sessionId, seq',
  Media: 'id',
  Credential: 'id',
  SessionCount: 'repoId, extensionId, status, archived',
}

/** All rows of a data directory and its other moved files, apart from the numbers that SQLite gives rows. */
function dump(folder: string): string[] {
  const db = openDatabase(join(folder, 'quayside.db'), { durability: 'normal' })
  try {
    const rows = Object.entries(KEYS).flatMap(([table, key]) =>
      db
        .prepare(
          `SELECT * FROM ${table} ${table === 'SessionCount' ? 'WHERE sessions > 0' : ''} ORDER BY ${key}`,
        )
        .all()
        .map((row: Record<string, string | number | null>) => {
          if (key.startsWith('sessionId')) delete row['id']
          // PostgreSQL stores no NUL as such.
          const title =
            typeof row['title'] === 'string' ? row['title'].replace('\0', '\uFFFD') : null
          const text = JSON.stringify({ ...row, title })
          const name = row['id'] ?? `${row['sessionId']} ${row['seq']}`
          return `${table} ${name} ${createHash('sha256').update(text).digest('hex')}`
        }),
    )
    const media = db.prepare('SELECT DISTINCT sha256 FROM Media ORDER BY 1').all() as {
      sha256: string
    }[]
    const files = media.map(({ sha256 }) =>
      sha256Of(join(folder, 'media', sha256.slice(0, 2), sha256)),
    )
    const key = readFileSync(join(folder, 'push-keys.json'), 'utf8')
    return [...rows, ...files, key]
  } finally {
    closeDatabase(db)
  }
}

function sha256Of(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

const move = (args: string[], env: Record<string, string> = {}) =>
  quayside(['db', ...args], { QUAYSIDE_DATA_DIR: dataDir, QUAYSIDE_DATABASE_URL: url, ...env })

test('an import stores everything and prints what it has compared; the file stays as it is', async () => {
  const file = join(dataDir, 'quayside.db')
  const before = sha256Of(file)
  const { code, output } = await move(['import', '--logs'])
  expect([code, output]).toEqual([0, expect.stringContaining('found to be the same')])
  expect(sha256Of(file)).toBe(before)
  const rows = await query<{ sessions: number; events: number; active: number }>(
    url,
    `SELECT count(*)::int AS "sessions", (SELECT count(*)::int FROM "AgentEvent") AS "events" FROM "AgentSession"`,
  )
  expect(output).toMatch(new RegExp(`sessions +${rows[0]?.sessions} `))
  expect(output).toMatch(new RegExp(`events +${rows[0]?.events} +sha256 [0-9a-f]{64}`))
  for (const id of Object.keys(exported)) expect(output).toContain(`${id}  `)
  expect(output).not.toContain(url)
  // It is not repeated on top of itself.
  const again = await move(['import'])
  expect(again.code).toBe(1)
  expect(again.output).toMatch(/already has .* Nothing was changed/)
})

test('an export is the same data directory again, also when it is repeated after an interruption', async () => {
  const draft = join(back, 'quayside.db.draft')
  outside.write('back/quayside.db.draft', 'half of an export that was killed')
  const { code, output } = await move(['export', back])
  expect([code, output]).toEqual([0, expect.stringContaining('found to be the same')])
  expect(existsSync(draft)).toBe(false)
  expect(dump(back)).toEqual(original)
  const again = await move(['export', back])
  expect(again.output).toMatch(/There is a database already/)
})

test('a hub on the imported database has the same sessions, tokens and media, and continues them', async () => {
  hub = await start({ folder: hub.folder, env: { QUAYSIDE_DATABASE_URL: url } })
  // Its removal was begun before the import.
  await expect.poll(async () => (await hub.fetch(`/api/sessions/${removed}`)).status).toBe(404)
  const { [removed]: _gone, ...others } = exported
  const now = await exportAll()
  expect(Object.keys(now).toSorted()).toEqual(Object.keys(others).toSorted())
  for (const [id, text] of Object.entries(now)) expect(text === others[id], id).toBe(true)
  const as = ({ token }: CreatedToken) => ({ headers: { authorization: `Bearer ${token}` } })
  expect((await hub.fetch('/api/sessions', as(phone))).status).toBe(200)
  expect((await hub.fetch('/api/sessions', as(revoked))).status).toBe(401)
  const { sessions } = await hub.get<SessionList>('/api/sessions?q=lighthouse')
  expect(sessions.map(({ title }) => title)).toContain('Lighthouse \u{1F6A2}')
  const id = sessions.at(-1)!.id
  expect((await hub.post(`/api/sessions/${id}/resume`, {})).status).toBe(200)
  const added = await hub.createSession()
  await added.run('echo new')
  expect(Object.keys(exported), 'numbers go on').not.toContain(added.id)

  const refused = await move(['export', outside.file('other')])
  expect(refused.output).toMatch(/A hub works with this database/)
  const locked = await move(['import'], { QUAYSIDE_DATABASE_URL: await newPostgresDatabase() })
  expect(locked.output).toMatch(/already works in/)
})

test('an import whose connection is cut leaves an empty database, and can be repeated', async () => {
  const empty = await newPostgresDatabase()
  const { proxy, url: proxied } = await PostgresProxy.open(empty)
  const cut = proxy.cutOnce('request', 'move_Credential')
  const first = await move(['import'], { QUAYSIDE_DATA_DIR: back, QUAYSIDE_DATABASE_URL: proxied })
  await cut
  proxy.close()
  expect(first.output).toMatch(/The PostgreSQL database cannot be used: Connection terminated/)
  const second = await move(['import'], { QUAYSIDE_DATA_DIR: back, QUAYSIDE_DATABASE_URL: empty })
  expect(second.output).toContain('found to be the same')
})

test('a row that is stored differently is found, and nothing of the move stays', async () => {
  const target = outside.file('differs')
  const moved = outOfDirectory(back, (from) =>
    intoDirectory(target, (to) => {
      const stored = to.insert.bind(to)
      const insert: typeof to.insert = (table, [first, ...rows]) =>
        table.name === 'AgentEvent' && first
          ? stored(table, [[...first.slice(0, -1), '{}'], ...rows])
          : stored(table, first ? [first, ...rows] : [])
      return moveAll({ from, to: Object.assign(to, { insert }) })
    }),
  )
  await expect(moved).rejects.toThrow(/The events of both sides differ in data, at sessionId /)
  expect(existsSync(join(target, 'quayside.db'))).toBe(false)
})
