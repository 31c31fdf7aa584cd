// Other programs beside the hub: the same agent, the same client, the same load. A program that cannot be had is listed as such.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { BareRelay } from '../hubs/bare-relay-client.mjs'
import { BenchHub } from '../hubs/bench-hub.mjs'
import { inspect } from '../hubs/flood.mjs'
import { agesIn } from '../load/load-lines.mjs'
import { median, percentile, rotated, round } from '../load/numbers.mjs'
import { PEERS, startPeer } from '../peers/peers.mjs'

const RUN = fileURLToPath(new URL('reader/reader-run.mjs', import.meta.url))
const WARM_UP = 20_000
/** Some of the programs are slow. */
const MAX_COUNT = 100_000
const FLOOD_MS = 120_000
const TICKS_A_SECOND = 100
const run = promisify(execFile)

/** `only`: the programs of a smoke test, which installs none. */
export const sizes = {
  full: { drips: 300, only: undefined },
  smoke: { drips: 5, only: "ACP SDK's WebSocket server" },
}

const OWN = {
  'passthrough, a frame a line': () => startRelay('line'),
  'passthrough, a frame a read': () => startRelay('read'),
  'Quayside, durable': startHub,
}

export async function measure({ rounds, count: wanted, size, note }) {
  const count = Math.min(wanted, MAX_COUNT)
  const names = [
    ...Object.keys(OWN),
    ...Object.keys(PEERS).filter((name) => !size.only || size.only === name),
  ]
  const seen = []
  for (let index = 0; index < rounds; index += 1) {
    const floors = { text: await floorOf('text', count), mixed: await floorOf('mixed', count) }
    const rows = {}
    for (const name of rotated(names, index)) {
      note(`round ${index + 1} of ${rounds}, ${name}`)
      rows[name] = await tryPeer(name, { count, drips: size.drips, floors })
    }
    seen.push(rows)
  }
  const rows = names.map((name) =>
    summarize(
      name,
      seen.map((one) => one[name]),
    ),
  )
  return { tables: [{ title: `${count} updates through other programs`, rows }], figures: {} }
}

async function tryPeer(name, options) {
  const { missing } = PEERS[name] ?? {}
  if (missing !== undefined) return { missing }
  let peer
  try {
    peer = await (OWN[name]?.() ?? startPeer(PEERS[name]))
  } catch (error) {
    return { missing: error.message.split('\n')[0].slice(0, 80) }
  }
  try {
    return await measurePeer(peer, options)
  } finally {
    await peer.stop()
  }
}

async function measurePeer({ pid, client }, { count, drips, floors }) {
  await client.prompt(`text ${Math.min(WARM_UP, count)}`)
  const seen = {}
  for (const load of ['text', 'mixed']) {
    client.kept = []
    const before = cpuMs(pid)
    const start = performance.now()
    await inTime(client.prompt(`${load} ${count}`))
    const ms = performance.now() - start
    const used = cpuMs(pid) - before
    const { lost, reordered } = inspect(client.kept, count)
    client.kept = undefined
    seen[load] = { ms, used, lost, reordered }
  }
  const ages = []
  client.onText = (data) => ages.push(...agesIn(data.toString()))
  await client.prompt(`drip ${drips}`)
  client.close()
  const { text, mixed } = seen
  return {
    'text/s': (count / text.ms) * 1000,
    'text × (b)': floors.text.ms / text.ms,
    'CPU × (b)': text.used / floors.text.cpuMs,
    'mixed × (b)': floors.mixed.ms / mixed.ms,
    'mixed CPU × (b)': mixed.used / floors.mixed.cpuMs,
    'p50 ms': median(ages),
    'p99 ms': percentile(ages, 0.99),
    'peak MB': peakMb(pid),
    'lost %': ((text.lost + mixed.lost) / (2 * count)) * 100,
    reordered: text.reordered + mixed.reordered,
  }
}

function summarize(name, runs) {
  const measured = runs.filter(({ missing }) => missing === undefined)
  if (measured.length === 0) return { program: `${name}: not available here (${runs[0].missing})` }
  const figures = Object.keys(measured[0]).map((key) => [
    key,
    round(median(measured.map((one) => one[key]))),
  ])
  return { program: name, ...Object.fromEntries(figures) }
}

async function floorOf(load, count) {
  const { stdout } = await run(process.execPath, [RUN, 'readline', load, String(count)])
  return JSON.parse(stdout)
}

async function startRelay(frames) {
  const relay = await BareRelay.start(frames)
  const follower = await relay.follow()
  return {
    pid: relay.child.pid,
    client: prompting(follower, (text) => relay.prompt(text)),
    stop: () => relay.stop(),
  }
}

async function startHub() {
  const hub = await BenchHub.start()
  const sessionId = await hub.createSession()
  const follower = await hub.followEnd(sessionId)
  const client = prompting(follower, (text) => hub.prompt(sessionId, text))
  return { pid: hub.child.pid, client, stop: () => hub.stop() }
}

/** A follower with the interface of a peer's client. */
function prompting(follower, send) {
  return Object.assign(follower, {
    async prompt(text) {
      const end = follower.turnEnded()
      await send(text)
      await end
    },
  })
}

function inTime(done) {
  const late = new Promise((_, reject) => {
    setTimeout(() => reject(new Error('it stalled')), FLOOD_MS).unref()
  })
  return Promise.race([done, late])
}

/** Of the program alone, without its agent. Zero where the system does not tell. */
function cpuMs(pid) {
  const fields = procFile(pid, 'stat').split(') ').at(-1).split(' ')
  return ((Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 1000) / TICKS_A_SECOND
}

function peakMb(pid) {
  return Number(/VmHWM:\s+(\d+)/.exec(procFile(pid, 'status'))?.[1] ?? 0) / 1024
}

function procFile(pid, name) {
  return process.platform === 'linux' ? readFileSync(`/proc/${pid}/${name}`, 'utf8') : ''
}
