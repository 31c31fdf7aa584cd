// The cost of an idle hub: its start, its memory, and the memory of each socket and stored session.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { closeDatabase, openDatabase } from '../packages/hub/dist/store/sqlite/database.js'
import { migrateUp } from '../packages/hub/dist/store/sqlite/migrations.js'
import { fillDataDirectory } from './lists-data.mjs'
import { median } from './numbers.mjs'

const HUB = fileURLToPath(new URL('lists-hub.mjs', import.meta.url))
const FLOOR = fileURLToPath(new URL('idle-floor.mjs', import.meta.url))
const TOKEN = 'a-token-for-benchmarks-only'
const HEADERS = { authorization: `Bearer ${TOKEN}` }
const FIRST_SOCKETS = 200
const SOCKETS = 1_000
const SESSIONS = 20_000
const SETTLE_MS = 2_000

export async function benchIdle({ rounds, note }) {
  const folders = [makeFolder(), makeFolder(SESSIONS)]
  try {
    const seen = []
    for (let round = 0; round < rounds; round += 1) {
      note(`idle: round ${round + 1} of ${rounds}`)
      seen.push(await measureRound(folders))
    }
    const of = (name) => median(seen.map((facts) => facts[name]))
    return [startTable(of), memoryTable(of)]
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true })
  }
}

function startTable(of) {
  const row = (what, ms, cpuMs) => ({
    what,
    ms: round(of(ms)),
    '× bare': round(of(ms) / of('bareMs')),
    'CPU ms': round(of(cpuMs)),
    'CPU × bare': round(of(cpuMs) / of('bareCpuMs')),
  })
  return {
    title: 'From the start of the process to listening',
    rows: [row('bare Express', 'bareMs', 'bareCpuMs'), row('hub', 'hubMs', 'hubCpuMs')],
  }
}

function memoryTable(of) {
  const row = (what, rssMb, more) => ({
    what,
    'RSS MB': round(of(rssMb)),
    '× bare': round(of(rssMb) / of('bareMb')),
    'kB a socket': more.socket === undefined ? '' : round(of(more.socket)),
    'kB a stored session': more.session === undefined ? '' : round(of(more.session)),
  })
  return {
    title: `Idle memory, with ${SOCKETS} sockets, with ${SESSIONS} stored sessions`,
    rows: [
      row('bare Express, ws and SQLite', 'bareMb', { socket: 'bareSocketKb' }),
      row('hub', 'hubMb', { socket: 'hubSocketKb', session: 'sessionKb' }),
    ],
  }
}

async function measureRound([empty, filled]) {
  const bare = await started([FLOOR, 'express'], async (child) => child.atReady)
  const hub = await started([HUB, empty], async (child) => child.atReady)
  const weighFloor = await started([FLOOR, 'store'], weigh)
  const weighHub = await started([HUB, empty], weigh)
  const full = await started([HUB, filled], weigh)
  return {
    bareMs: bare.ms,
    bareCpuMs: bare.cpuMs,
    hubMs: hub.ms,
    hubCpuMs: hub.cpuMs,
    bareMb: weighFloor.idleMb,
    hubMb: weighHub.idleMb,
    bareSocketKb: weighFloor.socketKb,
    hubSocketKb: weighHub.socketKb,
    sessionKb: ((full.idleMb - weighHub.idleMb) * 1024) / SESSIONS,
  }
}

async function weigh(child) {
  // Waits for modules that a hub loads after listening, which count too; the floor has no such route.
  await (await fetch(`${child.address}/api/repos`, { headers: HEADERS })).text()
  await setTimeout(SETTLE_MS)
  const { rssMb: idleMb } = await child.usage()
  // The first sockets include the cost of compiling code; they stay open, so that the next ones do not reuse their memory.
  const first = await openSockets(child, FIRST_SOCKETS)
  const { rssMb: before } = await child.usage()
  const sockets = await openSockets(child, SOCKETS)
  const { rssMb: after } = await child.usage()
  for (const socket of [...first, ...sockets]) socket.terminate()
  return { idleMb, socketKb: ((after - before) * 1024) / SOCKETS }
}

async function openSockets({ address }, count) {
  const sockets = []
  for (let index = 0; index < count; index += 1) sockets.push(await opened(address))
  return sockets
}

/** Runs the script while `use` runs, with the report that it printed when it was ready. */
async function started([script, argument], use) {
  const dataDir = join(argument, 'data')
  const own = { QUAYSIDE_DATA_DIR: dataDir, QUAYSIDE_TOKEN: TOKEN, QUAYSIDE_LOG_LEVEL: 'silent' }
  const start = performance.now()
  const child = spawn(process.execPath, ['--expose-gc', script, argument], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...own },
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => JSON.parse((await lines.next()).value)
  const { address, ...facts } = await next()
  const atReady = { ...facts, ms: performance.now() - start }
  const usage = () => {
    child.stdin.write('?')
    return next()
  }
  try {
    return await use({ address, atReady, usage })
  } finally {
    const ended = new Promise((resolve) => {
      child.once('exit', resolve)
    })
    child.stdin.end()
    await ended
  }
}

function opened(address) {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/ws`, { headers: HEADERS })
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket))
    socket.once('error', reject)
  })
}

/** A data directory as a hub of this version left it. */
function makeFolder(sessions = 0) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-bench-idle-')))
  mkdirSync(join(folder, 'workspace'))
  const dataDir = join(folder, 'data')
  if (sessions > 0) fillDataDirectory(dataDir, sessions)
  const db = openDatabase(join(dataDir, 'quayside.db'), { durability: 'full' })
  migrateUp(db)
  closeDatabase(db)
  return folder
}

function round(value) {
  return Number(value.toPrecision(3))
}
