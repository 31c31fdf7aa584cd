// Three hubs with many sessions each at a steady pace. Every session is followed at its own hub and at the next one.
import { agesOf } from '../../hubs/flood.mjs'
import { quantiles } from '../../load/numbers.mjs'

/** Twenty a second. */
const EVERY_MS = 50
const PER_SECOND = 1000 / EVERY_MS

export async function measureThree({ hubs, size }) {
  const sessions = []
  for (let index = 0; index < size.sessions; index += 1)
    for (const [at, hub] of hubs.entries())
      sessions.push({ hub, next: hubs[(at + 1) % hubs.length], id: await hub.createSession() })
  const updates = size.seconds * PER_SECOND
  const before = await cpuOf(hubs)
  const start = performance.now()
  const ages = await Promise.all(sessions.map((session) => drip(session, updates)))
  const ms = performance.now() - start
  const cpuMs = (await cpuOf(hubs)) - before
  for (const { hub, id } of sessions) await hub.endSession(id)
  const rowOf = (what, all) => ({
    what,
    ...quantiles(all),
    lost: sessions.length * updates - all.length,
    '% of a core': (cpuMs / ms) * 100,
  })
  const three = [
    rowOf(
      'followed at its own hub',
      ages.flatMap(({ near }) => near),
    ),
    rowOf(
      'followed at another hub',
      ages.flatMap(({ far }) => far),
    ),
  ]
  return { three }
}

async function drip({ hub, next, id }, updates) {
  const followers = [await hub.followEnd(id), await next.followEnd(id)]
  const prompt = () => hub.prompt(id, `drip ${updates} ${EVERY_MS}`)
  const [near, far] = await Promise.all([
    agesOf(followers[0], prompt),
    agesOf(followers[1], () => undefined),
  ])
  for (const follower of followers) follower.close()
  return { near, far }
}

async function cpuOf(hubs) {
  const all = await Promise.all(hubs.map((hub) => hub.usage()))
  return all.reduce((sum, { cpuMs }) => sum + cpuMs, 0)
}
