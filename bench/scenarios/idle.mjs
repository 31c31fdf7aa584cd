// The cost of an idle hub: its start, its memory, and the memory of each socket and stored session.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { closeDatabase, openDatabase } from '../../packages/hub/dist/store/sqlite/database.js'
import { migrateUp } from '../../packages/hub/dist/store/sqlite/migrations.js'
import { fillDataDirectory } from './lists/lists-data.mjs'
import { Child } from '../hubs/child.mjs'
import { TOKEN } from '../hubs/workspace.mjs'
import { median, round } from '../load/numbers.mjs'

const HUB = fileURLToPath(new URL('../hubs/hub-process.mjs', import.meta.url))
const FLOOR = fileURLToPath(new URL('../floors/express-server.mjs', import.meta.url))
const HEADERS = { authorization: `Bearer ${TOKEN}` }

export const sizes = {
  full: { firstSockets: 200, sockets: 1_000, sessions: 20_000, settleMs: 2_000, restMs: 5_000 },
  smoke: { firstSockets: 2, sockets: 5, sessions: 20, settleMs: 0, restMs: 50 },
}

export async function measure({ rounds, size, note }) {
  const folders = [makeFolder(), makeFolder(size.sessions)]
  try {
    const seen = []
    for (let round = 0; round < rounds; round += 1) {
      note(`round ${round + 1} of ${rounds}`)
      seen.push(await measureRound(folders, size))
    }
    const of = (name) => median(seen.map((facts) => facts[name]))
    return {
      tables: [startTable(of), memoryTable(of, size), restTable(of)],
      figures: figuresOf(of),
    }
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true })
  }
}

function figuresOf(of) {
  return {
    startMs: round(of('hubMs') / of('bareMs')),
    idleCpu: round(of('hubPercent')),
    idleMb: round(of('hubMb') / of('bareMb')),
    socketKb: round(of('hubSocketKb')),
    sessionKb: round(of('sessionKb')),
  }
}

function restTable(of) {
  return {
    title: 'Processor time at rest, with open sockets, % of a core',
    rows: [
      { what: 'bare Express, ws and SQLite', '% of a core': round(of('barePercent')) },
      { what: 'hub', '% of a core': round(of('hubPercent')) },
    ],
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

function memoryTable(of, { sockets, sessions }) {
  const row = (what, rssMb, more) => ({
    what,
    'RSS MB': round(of(rssMb)),
    '× bare': round(of(rssMb) / of('bareMb')),
    'kB a socket': more.socket === undefined ? '' : round(of(more.socket)),
    'kB a stored session': more.session === undefined ? '' : round(of(more.session)),
  })
  return {
    title: `Idle memory, with ${sockets} sockets, with ${sessions} stored sessions`,
    rows: [
      row('bare Express, ws and SQLite', 'bareMb', { socket: 'bareSocketKb' }),
      row('hub', 'hubMb', { socket: 'hubSocketKb', session: 'sessionKb' }),
    ],
  }
}

async function measureRound([empty, filled], size) {
  const weigh = (child) => weighChild(child, size)
  const bare = await started([FLOOR, 'express'], async (child) => child.ready)
  const hub = await started([HUB, empty], async (child) => child.ready)
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
    sessionKb: ((full.idleMb - weighHub.idleMb) * 1024) / size.sessions,
    barePercent: weighFloor.percent,
    hubPercent: weighHub.percent,
  }
}

async function weighChild(child, { firstSockets, sockets: many, settleMs, restMs }) {
  const { address } = child.ready
  // Waits for modules that a hub loads after listening, which count too; the floor has no such route.
  await (await fetch(`${address}/api/repos`, { headers: HEADERS })).text()
  await setTimeout(settleMs)
  const { rssMb: idleMb } = await child.usage()
  // The first sockets include the cost of compiling code; they stay open, so that the next ones do not reuse their memory.
  const first = await openSockets(address, firstSockets)
  const percent = await restPercent(child, restMs)
  const { rssMb: before } = await child.usage()
  const sockets = await openSockets(address, many)
  const { rssMb: after } = await child.usage()
  for (const socket of [...first, ...sockets]) socket.terminate()
  return { idleMb, socketKb: ((after - before) * 1024) / many, percent }
}

/** Processor time while nothing happens, in percent of a core. */
async function restPercent(child, restMs) {
  await setTimeout(restMs / 5)
  const start = performance.now()
  const before = await child.usage()
  await setTimeout(restMs)
  const { cpuMs } = await child.usage()
  return ((cpuMs - before.cpuMs) / (performance.now() - start)) * 100
}

async function openSockets(address, count) {
  const sockets = []
  for (let index = 0; index < count; index += 1) sockets.push(await opened(address))
  return sockets
}

/** Runs the script while `use` runs. */
async function started([script, argument], use) {
  const child = await Child.start(['--expose-gc', script, argument], {
    QUAYSIDE_DATA_DIR: join(argument, 'data'),
    QUAYSIDE_TOKEN: TOKEN,
    QUAYSIDE_LOG_LEVEL: 'silent',
  })
  try {
    return await use(child)
  } finally {
    await child.stop()
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
