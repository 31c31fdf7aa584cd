// Floods of text, of a typical mixture and of tool calls to followers, beside readline + JSON.parse on the same load.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { flood, warmSession } from '../../hubs/flood.mjs'
import { LOADS } from '../../load/load-lines.mjs'

const RUN = fileURLToPath(new URL('../reader/reader-run.mjs', import.meta.url))
const run = promisify(execFile)

export async function measureFloods({ hub, count, size }) {
  const rows = []
  for (const load of LOADS) {
    const floor = await measureFloor(load, count)
    rows.push(rowOf(`${load}, (b) readline + JSON.parse`, floor, { ...floor, many: 1 }))
    const sessionId = await warmSession(hub, { load, count })
    for (const many of load === 'text' ? size.followers : [1]) {
      const before = await hub.usage()
      const ms = await flood(hub, sessionId, { load, count, many })
      const cpuMs = (await hub.usage()).cpuMs - before.cpuMs
      rows.push(rowOf(floodRow(load, many), floor, { ms, cpuMs, many, count }))
    }
    await hub.endSession(sessionId)
  }
  return rows
}

export function floodRow(load, many) {
  return `${load}, ${many} follower${many === 1 ? '' : 's'}`
}

async function measureFloor(load, count) {
  const { stdout } = await run(process.execPath, [RUN, 'readline', load, String(count)])
  return { ...JSON.parse(stdout), count }
}

function rowOf(what, floor, { ms, cpuMs, many, count }) {
  return {
    what,
    'updates/s': (count / ms) * 1000,
    '× (b)': floor.ms / ms,
    'deliveries/s': ((count * many) / ms) * 1000,
    'CPU µs/update': (cpuMs * 1000) / count,
    'CPU × (b)': cpuMs / floor.cpuMs,
  }
}
