// The same floods and drips through a hub on SQLite and one on PostgreSQL: rates, and the processor time of the hub's own process.
import { BenchHub } from '../../hubs/bench-hub.mjs'
import { drip, flood, warmSession } from '../../hubs/flood.mjs'
import { quantiles, rotated } from '../../load/numbers.mjs'

const LOADS = ['text', 'mixed']
const ENGINES = ['SQLite', 'PostgreSQL']

export async function measureEngines({ database, count, size, round }) {
  const measured = {}
  for (const engine of rotated(ENGINES, round)) {
    const env = engine === 'SQLite' ? {} : { QUAYSIDE_DATABASE_URL: await database.create() }
    const hub = await BenchHub.start({ env })
    try {
      measured[engine] = await measureHub(hub, { count, size })
    } finally {
      await hub.stop()
    }
  }
  const floods = LOADS.flatMap((load) =>
    ENGINES.map((engine) =>
      rowOf(`${load}, ${engine}`, measured[engine][load], measured.SQLite[load]),
    ),
  )
  const drips = ENGINES.map((engine) => ({
    what: engine,
    ...quantiles(measured[engine].drip),
  }))
  return { floods, drips }
}

async function measureHub(hub, { count, size }) {
  const found = {}
  for (const load of LOADS) {
    const sessionId = await warmSession(hub, { load, count })
    const before = await hub.usage()
    const ms = await flood(hub, sessionId, { load, count })
    found[load] = { ms, count, cpuMs: (await hub.usage()).cpuMs - before.cpuMs }
    await hub.endSession(sessionId)
  }
  const sessionId = await warmSession(hub, { count })
  found.drip = await drip(hub, sessionId, `drip ${size.drips}`)
  await hub.endSession(sessionId)
  return found
}

function rowOf(what, { ms, cpuMs, count }, sqlite) {
  return {
    what,
    'updates/s': (count / ms) * 1000,
    '× SQLite': sqlite.ms / ms,
    'CPU µs/update': (cpuMs * 1000) / count,
    'CPU × SQLite': cpuMs / sqlite.cpuMs,
  }
}
