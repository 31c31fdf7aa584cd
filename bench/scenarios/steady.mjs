// A steady load, below what the hub can take: processor time per update at 1,000 a second, and the latency of twenty sessions.
import { BareRelay } from '../hubs/bare-relay-client.mjs'
import { BenchHub } from '../hubs/bench-hub.mjs'
import { agesOf, drip, warmSession } from '../hubs/flood.mjs'
import { medianRows, quantiles } from '../load/numbers.mjs'

export const sizes = {
  full: { updates: 3_000, sessions: 20, drips: 400 },
  smoke: { updates: 20, sessions: 2, drips: 5 },
}
/** A thousand a second. */
const EVERY_MS = 1

export async function measure({ rounds, size, note }) {
  const seen = []
  for (let round = 1; round <= rounds; round += 1) {
    note(`round ${round} of ${rounds}`)
    const hub = await BenchHub.start()
    const one = await measureOne(hub, size)
    seen.push({ one: [await measureBare(size), one], many: [await measureMany(hub, size)] })
    await hub.stop()
  }
  const one = medianRows(seen.map((round) => round.one))
  const many = medianRows(seen.map((round) => round.many))
  return {
    tables: [
      { title: 'One session, 1,000 updates a second', rows: one },
      { title: `${size.sessions} sessions, 100 updates a second each`, rows: many },
    ],
    figures: {
      steadyCpu: one[1]['CPU ms/update'],
      twentyP50: many[0].p50,
      twentyP99: many[0].p99,
    },
  }
}

async function measureBare({ updates }) {
  const relay = await BareRelay.start()
  const follower = await relay.follow()
  const before = await relay.usage()
  const ages = await agesOf(follower, () => relay.prompt(`drip ${updates} ${EVERY_MS}`))
  const row = rowOf('bare relay', ages, (await relay.usage()).cpuMs - before.cpuMs)
  follower.close()
  await relay.stop()
  return row
}

async function measureOne(hub, { updates }) {
  const sessionId = await warmSession(hub, { count: updates })
  await drip(hub, sessionId, `drip ${Math.ceil(updates / 3)} ${EVERY_MS}`)
  const before = await hub.usage()
  const ages = await drip(hub, sessionId, `drip ${updates} ${EVERY_MS}`)
  const row = rowOf('hub', ages, (await hub.usage()).cpuMs - before.cpuMs)
  await hub.endSession(sessionId)
  return row
}

function rowOf(what, ages, cpuMs) {
  return { what, 'CPU ms/update': cpuMs / ages.length, ...quantiles(ages) }
}

async function measureMany(hub, { sessions, drips }) {
  const ids = []
  for (let index = 0; index < sessions; index += 1) ids.push(await hub.createSession())
  await Promise.all(ids.map((id) => drip(hub, id, `drip ${Math.ceil(drips / 10)}`)))
  const before = await hub.usage()
  const start = performance.now()
  const ages = (await Promise.all(ids.map((id) => drip(hub, id, `drip ${drips}`)))).flat()
  const ms = performance.now() - start
  const cpuMs = (await hub.usage()).cpuMs - before.cpuMs
  for (const id of ids) await hub.endSession(id)
  return { what: 'hub', ...quantiles(ages), '% of a core': (cpuMs / ms) * 100 }
}
