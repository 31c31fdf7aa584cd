// Long sessions: their first screen, loaded by the page's own store, and the largest answer of the API, beside the event loop and
// the memory of the hub.
import { WebSocket } from 'ws'
import { AgentChatClient } from '../../packages/client/dist/index.js'
import { SessionStore } from '../../packages/client/dist/react/session-store.js'
import { BenchHub } from '../hubs/bench-hub.mjs'
import { longSessions } from '../hubs/long-sessions.mjs'
import { TOKEN } from '../hubs/workspace.mjs'
import { median, medianRows } from '../load/numbers.mjs'

export const LENGTHS = {
  full: { lengths: [1_000, 10_000, 100_000, 1_000_000], turn: 100_000 },
  smoke: { lengths: [10, 600], turn: 600 },
}
export const sizes = { full: { ...LENGTHS.full, opens: 5 }, smoke: { ...LENGTHS.smoke, opens: 1 } }
const OPEN_MS = 120_000

export async function measure({ rounds, size, note }) {
  note('writing the sessions')
  const { workspace, sessions } = await longSessions(size)
  const seen = []
  for (let round = 1; round <= rounds; round += 1) {
    note(`round ${round} of ${rounds}, first screens`)
    const env = { BENCH_WATCH_LOOP: '1' }
    const hub = await BenchHub.start({ workspace, env })
    const screens = []
    for (const session of sessions) screens.push(await measureScreen(hub, session, size.opens))
    note(`round ${round} of ${rounds}, whole session`)
    const whole = await measureWhole(hub, sessions.at(-2))
    await hub.stop()
    seen.push({ screens, whole: [whole] })
  }
  return toResult(seen)
}

function toResult(seen) {
  const screens = medianRows(seen.map((round) => round.screens))
  const whole = medianRows(seen.map((round) => round.whole))
  const worst = (name) => Math.max(...screens.map((row) => row[name]))
  return {
    tables: [
      { title: 'The first screen', rows: screens },
      { title: 'GET /api/sessions/:id', rows: whole },
    ],
    figures: {
      screenMs: worst('ms'),
      screenKb: worst('kB'),
      sessionBlockMs: whole[0]['longest block ms'],
      sessionMb: whole[0]['memory added MB'],
    },
  }
}

async function measureScreen(hub, { id, what }, opens) {
  await open(hub, id)
  const times = []
  for (let index = 0; index < opens; index += 1) times.push((await open(hub, id)).ms)
  await hub.usage()
  const { bytes } = await open(hub, id, countingClient)
  const { blockMs } = await hub.usage()
  return { what, ms: median(times), kB: bytes / 1000, 'longest block ms': blockMs }
}

/** As the page does it: until the rows can be rendered. */
async function open(hub, id, clientOf = plainClient) {
  const { client, bytes } = clientOf(hub.address)
  const store = new SessionStore(client, id)
  const start = performance.now()
  const leave = store.use()
  await untilReady(store)
  const ms = performance.now() - start
  leave()
  client.close()
  return { ms, bytes: bytes() }
}

function untilReady({ view }) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('the session did not open')), OPEN_MS)
    const look = () => {
      const { is, error } = view.get()
      if (is === 'ready') resolve()
      else if (error !== undefined) reject(error)
      else return
      clearTimeout(late)
    }
    view.subscribe(look)
    look()
  })
}

function plainClient(url) {
  return { client: new AgentChatClient({ url, token: TOKEN, WebSocket }), bytes: () => 0 }
}

/** Counts the bytes of all answers; slower, so that its time does not count. */
function countingClient(url) {
  let bytes = 0
  class CountingSocket extends WebSocket {
    constructor(...args) {
      super(...args)
      this.on('message', (data) => (bytes += data.length))
    }
  }
  const countingFetch = async (...args) => {
    const response = await fetch(...args)
    bytes += (await response.clone().arrayBuffer()).byteLength
    return response
  }
  const options = { url, token: TOKEN, WebSocket: CountingSocket, fetch: countingFetch }
  return { client: new AgentChatClient(options), bytes: () => bytes }
}

async function measureWhole(hub, { id, what }) {
  const before = await hub.usage()
  const start = performance.now()
  const answer = await hub.askText('GET', `/api/sessions/${id}`)
  const ms = performance.now() - start
  const { blockMs, peakMb } = await hub.usage()
  return {
    what,
    ms,
    MB: answer.length / 1e6,
    'longest block ms': blockMs,
    'memory added MB': Math.max(0, peakMb - before.rssMb),
  }
}
