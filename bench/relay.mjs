// The path of an update from the agent to its followers, through a whole hub with sign-in and full durability: rate with 1, 10
// and 100 followers, latency, parallel sessions, slow readers and late joiners, compared with floors in the same round.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { DatabaseSync } from '@photostructure/sqlite'
import { agesIn, blocksOf, numbersIn } from './load-lines.mjs'
import { median, percentile } from './numbers.mjs'
import { BareRelay, RelayHub } from './relay-hub.mjs'

const FLOOR = fileURLToPath(new URL('reader-run.mjs', import.meta.url))
const WARM_UP = 20_000
const FOLLOWERS = [1, 10, 100]
const DRIPS = 150
const PROMPTS = 15
const STUCK = 20
const REPLAYED = 100_000
const run = promisify(execFile)

export async function benchRelay({ rounds, count, note }) {
  const seen = []
  for (let round = 0; round < rounds; round += 1) {
    note(`relay: round ${round + 1} of ${rounds}`)
    seen.push(await measureRound(count, (what) => note(`relay: round ${round + 1}, ${what}`)))
  }
  const of = (name) => summarize(seen.map((round) => round[name]))
  return [
    {
      title: `${count} updates of text to followers, medians of ${rounds} rounds`,
      rows: of('fan'),
    },
    { title: 'One update every 10 ms, ms from the agent to the client', rows: of('drip') },
    { title: 'A session beside one that floods, ms', rows: of('neighbour') },
    { title: `A fast reader beside ${STUCK} that do not read`, rows: of('slow') },
    { title: `${REPLAYED} updates to a late joiner`, rows: of('replay') },
  ]
}

async function measureRound(count, note) {
  note('floor')
  const { stdout } = await run(process.execPath, [FLOOR, 'readline', 'text', String(count)])
  const { ms, cpuMs } = JSON.parse(stdout)
  const floor = { rate: count / ms, cpuMs: cpuMs / count }
  const hub = await RelayHub.start()
  try {
    note('followers')
    const fan = await measureFan(hub, count, floor)
    note('drip')
    const drip = await measureDrip(hub)
    note('neighbour')
    const neighbour = await measureNeighbour(hub, count)
    note('slow readers')
    const slow = await measureSlow(hub, count)
    note('replay')
    const replay = [await measureReplay(hub, 'text'), await measureReplay(hub, 'mixed')]
    return { fan, drip, neighbour, slow, replay }
  } finally {
    await hub.stop()
  }
}

async function measureFan(hub, count, floor) {
  const sessionId = await warmSession(hub)
  const rows = [fanRow('(a) readline + JSON.parse', floor, { ...floor, many: 1 })]
  for (const many of FOLLOWERS) {
    const before = await hub.usage()
    const rate = await flood(hub, sessionId, { count, many })
    const cpuMs = ((await hub.usage()).cpuMs - before.cpuMs) / count
    const what = `hub, durable, ${many} follower${many === 1 ? '' : 's'}`
    rows.push(fanRow(what, floor, { rate, cpuMs, many }))
  }
  await hub.endSession(sessionId)
  return rows
}

function fanRow(what, floor, { rate, cpuMs, many }) {
  return {
    what,
    'updates/s': rate * 1000,
    '× (a)': rate / floor.rate,
    'deliveries/s': rate * 1000 * many,
    'CPU µs/update': cpuMs * 1000,
    'CPU × (a)': cpuMs / floor.cpuMs,
  }
}

/** Updates per millisecond until the last follower has received the end of the turn. The check comes after the measurement. */
async function flood(hub, sessionId, { count, many, isChecked = true }) {
  const after = await hub.lastSeq(sessionId)
  const followers = []
  for (let index = 0; index < many; index += 1) followers.push(await hub.follow(sessionId, after))
  if (isChecked) followers[0].kept = []
  const start = performance.now()
  const all = Promise.all(followers.map((follower) => follower.turnEnded()))
  await hub.prompt(sessionId, `text ${count}`)
  await all
  const ms = performance.now() - start
  if (isChecked) requireAll(followers[0].kept, count)
  for (const follower of followers) follower.close()
  return count / ms
}

/** Fails the measurement when updates were lost or reordered. */
function requireAll(frames, count) {
  const numbers = frames.flatMap((frame) => numbersIn(frame.toString()))
  const isWhole = numbers.length === count && numbers.every((number, index) => number === index + 1)
  if (!isWhole) throw new Error('updates were lost or came in another order')
}

async function measureDrip(hub) {
  const bare = await BareRelay.start()
  const watcher = await bare.follow()
  await watched(watcher, () => bare.prompt(`drip ${DRIPS / 3}`))
  const floor = await watched(watcher, () => bare.prompt(`drip ${DRIPS}`))
  watcher.close()
  await bare.stop()
  const sessionId = await warmSession(hub)
  const ages = await drip(hub, sessionId)
  await hub.endSession(sessionId)
  const rows = { 'bare relay': floor, 'hub, durable': ages }
  return Object.entries(rows).map(([what, values]) => ({
    what,
    ...quantiles(values),
    'p50 added': median(values) - median(floor),
    'p99 added': percentile(values, 0.99) - percentile(floor, 0.99),
  }))
}

async function drip(hub, sessionId) {
  const follower = await hub.follow(sessionId, await hub.lastSeq(sessionId))
  const ages = await watched(follower, () => hub.prompt(sessionId, `drip ${DRIPS}`))
  follower.close()
  return ages
}

/** The ages of all updates that arrive until the turn ends. */
async function watched(follower, prompt) {
  const ages = []
  follower.onText = (data) => ages.push(...agesIn(data.toString()))
  const end = follower.turnEnded()
  await prompt()
  await end
  if (ages.length === 0) throw new Error('nothing came')
  return ages
}

async function measureNeighbour(hub, count) {
  const busy = await warmSession(hub)
  const quiet = await warmSession(hub)
  const rows = []
  for (const what of ['alone', 'while another floods']) {
    const stop = what === 'alone' ? async () => {} : floodOn(hub, busy, count)
    const updates = await drip(hub, quiet)
    const prompts = await promptTimes(hub, quiet)
    await stop()
    const answer = { 'prompt to end p50': median(prompts), 'worst prompt': Math.max(...prompts) }
    rows.push({ what, ...quantiles(updates), ...answer })
  }
  await hub.endSession(busy)
  await hub.endSession(quiet)
  return rows
}

/** Runs turns until it is stopped. Not checked: that would slow the measurement beside it. */
function floodOn(hub, sessionId, count) {
  const over = new AbortController()
  const flooding = (async () => {
    while (!over.signal.aborted) await flood(hub, sessionId, { count, many: 1, isChecked: false })
  })()
  return () => {
    over.abort()
    return flooding
  }
}

/** The time from the request until a follower has received the end of its turn. */
async function promptTimes(hub, sessionId) {
  const follower = await hub.follow(sessionId, await hub.lastSeq(sessionId))
  const times = []
  for (let index = 0; index < PROMPTS; index += 1) {
    const start = performance.now()
    const end = follower.turnEnded()
    await hub.prompt(sessionId, 'text 1')
    await end
    times.push(performance.now() - start)
  }
  follower.close()
  return times
}

async function measureSlow(hub, count) {
  const sessionId = await warmSession(hub)
  const alone = await flood(hub, sessionId, { count, many: 1 })
  const stuck = []
  for (let index = 0; index < STUCK; index += 1) {
    const follower = await hub.follow(sessionId, 0)
    follower.pause()
    stuck.push(follower)
  }
  const before = await hub.usage()
  const beside = await flood(hub, sessionId, { count, many: 1 })
  const growth = (await hub.usage()).rssMb - before.rssMb
  for (const follower of stuck) follower.close()
  await hub.endSession(sessionId)
  return [
    { what: 'alone', 'updates/s': alone * 1000, '× alone': 1, 'hub RSS growth MB': 0 },
    {
      what: `beside ${STUCK} stuck clients`,
      'updates/s': beside * 1000,
      '× alone': beside / alone,
      'hub RSS growth MB': growth,
    },
  ]
}

async function measureReplay(hub, kind) {
  const sessionId = await hub.createSession()
  const follower = await hub.follow(sessionId)
  const end = follower.turnEnded()
  const before = storedBytes(hub.database)
  await hub.prompt(sessionId, `${kind} ${REPLAYED}`)
  await end
  follower.close()
  const stored = storedBytes(hub.database) - before
  const last = await hub.lastSeq(sessionId)
  const read = bareRead(hub.database, sessionId)
  const sendMs = await bareSend(read.bytes)
  const start = performance.now()
  const joiner = await hub.follow(sessionId)
  await joiner.firstFrame()
  const first = performance.now() - start
  await joiner.reaches(last)
  const ms = performance.now() - start
  joiner.close()
  await hub.endSession(sessionId)
  return {
    what: `${kind}, ${REPLAYED} updates`,
    events: last,
    'rows read bare ms': read.ms,
    'sent bare ms': sendMs,
    'hub ms': ms,
    '× read': ms / read.ms,
    '× read and sent': ms / (read.ms + sendMs),
    'first page ms': first,
    'bytes stored ÷ written': stored / writtenBytes(kind),
  }
}

/** The size of the database's content, in its file or in the write-ahead log. */
function storedBytes(path) {
  const db = new DatabaseSync(path, { readOnly: true })
  const read = (name) => Object.values(db.prepare(`PRAGMA ${name}`).get())[0]
  const bytes = (read('page_count') - read('freelist_count')) * read('page_size')
  db.close()
  return bytes
}

/** The bytes that the agent wrote. */
function writtenBytes(kind) {
  let bytes = 0
  for (const block of blocksOf(kind, 'load-1', REPLAYED)) bytes += block.length
  return bytes
}

/** The floor for any reader of this database. */
function bareRead(path, sessionId) {
  const db = new DatabaseSync(path, { readOnly: true })
  const statement = db.prepare('SELECT seq, at, type, data FROM AgentEvent WHERE sessionId = ?')
  const start = performance.now()
  const rows = statement.all(sessionId)
  const ms = performance.now() - start
  db.close()
  const bytes = rows.reduce((sum, { data }) => sum + Buffer.byteLength(data), 0)
  return { ms, bytes }
}

/** The time from the connection to the last byte, for bytes that are already in memory. */
async function bareSend(bytes) {
  const bare = await BareRelay.start()
  const warmUp = await bare.follow()
  await watchedEnd(warmUp, () => bare.prompt(`send ${bytes}`))
  warmUp.close()
  const start = performance.now()
  const joiner = await bare.follow()
  await watchedEnd(joiner, () => bare.prompt(`send ${bytes}`))
  const ms = performance.now() - start
  joiner.close()
  await bare.stop()
  return ms
}

async function watchedEnd(follower, prompt) {
  const end = follower.turnEnded()
  prompt()
  await end
}

async function warmSession(hub) {
  const sessionId = await hub.createSession()
  await flood(hub, sessionId, { count: WARM_UP, many: 1 })
  return sessionId
}

function quantiles(values) {
  return { p50: median(values), p90: percentile(values, 0.9), p99: percentile(values, 0.99) }
}

/** The median of every figure over all rounds. */
function summarize(rounds) {
  return rounds[0].map((row, index) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) =>
        typeof value === 'string'
          ? [name, value]
          : [name, Number(median(rounds.map((rows) => rows[index][name])).toPrecision(3))],
      ),
    ),
  )
}
