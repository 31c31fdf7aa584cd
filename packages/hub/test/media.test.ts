// Media in a real database and folder, and over a real port: stored, private, and never executable.
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HubError } from '../src/errors.js'
import { media as mediaCommands } from '../src/http/raw/media.js'
import { MAX_MEDIA_BYTES, MediaStore } from '../src/store/media.js'
import { MediaRows } from '../src/store/sqlite/media-rows.js'
import { type CommandServer, serveCommands } from './command-server.js'
import { countRows, insert, NOON, SAMPLES, TestDatabase } from './store-fixture.js'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const SESSION = 's1'

let store: TestDatabase
let folder: string
let media: MediaStore
let server: CommandServer | undefined

beforeEach(() => {
  store = new TestDatabase()
  for (const table of ['Repo', 'AgentSession']) insert(store.db, table, SAMPLES[table]!)
  insert(store.db, 'AgentSession', { ...SAMPLES['AgentSession'], id: 's2', createdAt: NOON })
  // Data directories may be hidden folders with any name.
  folder = store.folder.file('.local/50%20 off/media')
  media = new MediaStore(new MediaRows(store.db), folder)
})
afterEach(async () => {
  await server?.[Symbol.asyncDispose]()
  server = undefined
  store[Symbol.dispose]()
})

function putPng(sessionId = SESSION, bytes = PNG) {
  return media.put({ sessionId, mimeType: 'image/png', bytes })
}

test('stored media is found, in a file that only its owner can read', async () => {
  const { id, url, mimeType, byteLength } = putPng()
  expect({ url, mimeType, byteLength }).toEqual({
    url: `/media/${id}`,
    mimeType: 'image/png',
    byteLength: PNG.length,
  })
  const found = (await media.find(id))!
  expect(found).toMatchObject({ mimeType: 'image/png', byteLength: PNG.length })
  expect(found.path).toMatch(/media\/([0-9a-f]{2})\/\1[0-9a-f]{62}$/)
  expect(readFileSync(found.path)).toEqual(PNG)
  expect(statSync(found.path).mode & 0o777).toBe(0o600)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(readdirSync(`${folder}/incoming`)).toEqual([])
})

test('the same bytes are one file; in the same session and type they are the same media', async () => {
  const first = putPng()
  expect(putPng().id).toBe(first.id)
  const other = putPng('s2')
  const asText = media.put({ sessionId: SESSION, mimeType: 'text/html', bytes: PNG })
  const nobodys = media.put({ mimeType: 'image/png', bytes: PNG })
  expect(media.put({ mimeType: 'image/png', bytes: PNG }).id).toBe(nobodys.id)
  const ids = [first.id, other.id, asText.id, nobodys.id]
  expect(new Set(ids).size).toBe(4)
  const files = await Promise.all(ids.map(async (id) => media.find(id)))
  expect(new Set(files.map((file) => file!.path)).size).toBe(1)
  expect(countRows(store.db, 'Media')).toBe(4)
})

test('a file that was lost or damaged is written again when its bytes come back', async () => {
  const { id } = putPng()
  const { path } = (await media.find(id))!
  for (const damage of [() => truncateSync(path, 3), () => rmSync(path)]) {
    damage()
    expect(putPng().id).toBe(id)
    expect(readFileSync(path)).toEqual(PNG)
  }
})

test('media belong to a session that exists, and go with it', async () => {
  expect(() => putPng('nobody')).toThrow(
    expect.objectContaining({ code: 'storage_failed', cause: expect.any(Error) }),
  )
  const { id } = putPng()
  store.db.prepare('DELETE FROM AgentSession WHERE id = ?').run(SESSION)
  expect(await media.find(id)).toBeUndefined()
})

test('more than 20 MiB are refused and leave nothing', () => {
  expect(() => putPng(SESSION, Buffer.alloc(MAX_MEDIA_BYTES + 1))).toThrow(
    expect.objectContaining({ code: 'body_too_large' }),
  )
  expect(countRows(store.db, 'Media')).toBe(0)
  expect(putPng(SESSION, Buffer.alloc(MAX_MEDIA_BYTES)).byteLength).toBe(MAX_MEDIA_BYTES)
  expect(putPng(SESSION, Buffer.alloc(0)).byteLength).toBe(0)
})

test('a failed write is an error with its cause, and no row is stored', () => {
  rmSync(folder, { recursive: true })
  writeFileSync(folder, 'a file where the folder was')
  expect(() => putPng()).toThrow(HubError)
  expect(countRows(store.db, 'Media')).toBe(0)
})

test('a file half written by a crash is removed at the next start, the rest is kept', async () => {
  const { id } = putPng()
  mkdirSync(`${folder}/incoming`, { recursive: true })
  writeFileSync(`${folder}/incoming/half`, 'half')
  const restarted = new MediaStore(new MediaRows(store.db), folder)
  expect(readdirSync(`${folder}/incoming`)).toEqual([])
  expect(readFileSync((await restarted.find(id))!.path)).toEqual(PNG)
})

test.each([
  ['IMAGE/PNG; charset=x', 'image/png'],
  ['image/svg+xml', 'image/svg+xml'],
  ['text/html\r\nSet-Cookie: a=b', 'application/octet-stream'],
  ['', 'application/octet-stream'],
  ['png', 'application/octet-stream'],
  [`a/${'b'.repeat(500)}`, 'application/octet-stream'],
])('the type %j is stored as %s', (given, stored) => {
  expect(media.put({ mimeType: given, bytes: PNG }).mimeType).toBe(stored)
})

test('a raster image is shown, private and cached for good', async () => {
  const { url, id } = putPng()
  const response = await get(url)
  expect(response.status).toBe(200)
  expect(Buffer.from(await response.arrayBuffer())).toEqual(PNG)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': 'inline',
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, max-age=31536000, immutable',
    etag: `"${id}"`,
  })
  // fetch adds no-cache unless caching is set.
  const revalidate = { 'If-None-Match': `"${id}"`, 'Cache-Control': 'max-age=0' }
  const again = await get(url, revalidate)
  expect(again.status).toBe(304)
  const head = await get(url, {}, 'HEAD')
  expect(head.headers.get('content-length')).toBe(String(PNG.length))
})

test.each(['image/svg+xml', 'text/html', 'text/plain', 'application/pdf', 'audio/wav', 'odd'])(
  '%s is only ever downloaded',
  async (mimeType) => {
    const { url } = media.put({ mimeType, bytes: Buffer.from('<svg onload="alert(1)"/>') })
    const { headers } = await get(url)
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+"$/)
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  },
)

test('a part can be asked for; a part that is not there is refused and not cached', async () => {
  const { url } = putPng()
  const part = await get(url, { Range: 'bytes=1-3' })
  expect(part.status).toBe(206)
  expect(part.headers.get('content-range')).toBe(`bytes 1-3/${PNG.length}`)
  expect(await part.text()).toBe('PNG')
  const none = await get(url, { Range: 'bytes=99-' })
  expect(none.status).toBe(416)
  expect(none.headers.get('content-range')).toBe(`bytes */${PNG.length}`)
  expect(none.headers.get('cache-control')).toBeNull()
})

test('missing media is not found, also when only its file is missing, and is not cached', async () => {
  const { url, id } = putPng()
  rmSync((await media.find(id))!.path)
  for (const path of [url, '/media/nothing', '/media/..%2F..%2Fhub.sqlite']) {
    const response = await get(path)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(response.headers.get('cache-control')).toBeNull()
    expect(await response.json()).toMatchObject({ error: { code: 'not_found' } })
  }
})

async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  server ??= await serveCommands({ raw: mediaCommands(media) })
  return fetch(`${server.address}${path}`, { method, headers })
}
