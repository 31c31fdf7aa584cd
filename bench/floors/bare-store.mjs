// Floors for reading a session: its rows read as the hub reads them, and as many bytes sent from memory.
import { setTimeout } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { sqliteStore } from '../../packages/hub/dist/store/sqlite/sqlite-store.js'
import { BareRelay } from '../hubs/bare-relay-client.mjs'

/** Events a page, as in the hub. */
const PAGE = 500
const SETTLE_MS = 200

/** All events through the store's own statement, which returns each as one blob, and the blobs of a page as one buffer. */
export function bareRead(path, sessionId) {
  const db = new DatabaseSync(path, { readOnly: true })
  const { events } = sqliteStore(db)
  const start = performance.now()
  let [bytes, after] = [0, 0]
  for (;;) {
    const page = [...events.read(sessionId, after, PAGE)]
    if (page.length === 0) break
    bytes += Buffer.concat(page.map((event) => event.bytes)).length
    after = page.at(-1).seq
  }
  const ms = performance.now() - start
  db.close()
  return { ms, bytes }
}

/** The time from the connection to the last byte, for bytes that are already in memory. */
export async function bareSend(bytes) {
  const bare = await BareRelay.start()
  const send = async () => {
    const start = performance.now()
    const client = await bare.follow()
    const end = client.turnEnded()
    bare.prompt(`send ${bytes}`)
    await end
    const ms = performance.now() - start
    client.close()
    return ms
  }
  await send()
  const ms = await send()
  await bare.stop()
  return ms
}

/** The size of the database's content when it no longer changes: an index may follow the events. */
export async function storedBytes(path) {
  let bytes = contentBytes(path)
  for (;;) {
    await setTimeout(SETTLE_MS)
    const later = contentBytes(path)
    if (later === bytes) return bytes
    bytes = later
  }
}

/** In its file or in the write-ahead log. */
function contentBytes(path) {
  const db = new DatabaseSync(path, { readOnly: true })
  const read = (name) => Object.values(db.prepare(`PRAGMA ${name}`).get())[0]
  const bytes = (read('page_count') - read('freelist_count')) * read('page_size')
  db.close()
  return bytes
}
