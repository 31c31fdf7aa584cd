// A late joiner receives a whole session, beside a bare read of the same rows and a bare send of as many bytes. Also the bytes
// that the store takes for what the agent wrote.
import { bareRead, bareSend, storedBytes } from '../../floors/bare-store.mjs'
import { bytesOf, LOADS } from '../../load/load-lines.mjs'

export async function measureReplays({ hub, size }) {
  const rows = []
  for (const load of LOADS) rows.push(await measureReplay(hub, load, size.replayed))
  return rows
}

async function measureReplay(hub, load, replayed) {
  const sessionId = await hub.createSession()
  const follower = await hub.follow(sessionId)
  const end = follower.turnEnded()
  const before = await storedBytes(hub.database)
  await hub.prompt(sessionId, `${load} ${replayed}`)
  await end
  follower.close()
  const stored = (await storedBytes(hub.database)) - before
  const last = await hub.lastSeq(sessionId)
  const read = bareRead(hub.database, sessionId)
  const sendMs = await bareSend(read.bytes)
  const joined = await join(hub, sessionId, last)
  await hub.endSession(sessionId)
  return {
    what: load,
    events: last,
    'rows read bare ms': read.ms,
    'sent bare ms': sendMs,
    'hub ms': joined.ms,
    '× read': joined.ms / read.ms,
    '× read and sent': joined.ms / (read.ms + sendMs),
    'first page ms': joined.firstMs,
    'bytes stored ÷ written': stored / bytesOf(load, replayed),
  }
}

async function join(hub, sessionId, last) {
  const start = performance.now()
  const joiner = await hub.follow(sessionId)
  await joiner.firstFrame()
  const firstMs = performance.now() - start
  // The first page of a short session is the last one.
  if (!joiner.hasReached(last)) await joiner.reaches(last)
  const ms = performance.now() - start
  joiner.close()
  return { ms, firstMs }
}
