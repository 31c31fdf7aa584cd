// A session beside one that floods the hub: the latency of its updates, and the time of its prompts.
import { drip, floodOn, warmSession } from '../../hubs/flood.mjs'
import { median, quantiles, rotated } from '../../load/numbers.mjs'

const ALONE = 'alone'
const BESIDE = 'while another floods'
const BESIDE_MIXED = 'while another floods with mixed updates'
const LOADS = { [BESIDE]: 'text', [BESIDE_MIXED]: 'mixed' }

export async function measureNeighbour({ hub, count, size, round }) {
  const busy = await warmSession(hub, { count })
  const quiet = await warmSession(hub, { count })
  const rows = {}
  for (const what of rotated([ALONE, BESIDE, BESIDE_MIXED], round)) {
    const load = LOADS[what]
    const stop = load === undefined ? async () => {} : floodOn(hub, busy, { load, count })
    const ages = await drip(hub, quiet, `drip ${size.drips}`)
    const prompts = await promptTimes(hub, quiet, size.prompts)
    await stop()
    const answer = { 'prompt to end p50': median(prompts), 'worst prompt': Math.max(...prompts) }
    rows[what] = { what, ...quantiles(ages), ...answer }
  }
  await hub.endSession(busy)
  await hub.endSession(quiet)
  return [rows[ALONE], rows[BESIDE], rows[BESIDE_MIXED]]
}

/** The time from the request until a follower has received the end of its turn. */
async function promptTimes(hub, sessionId, prompts) {
  const follower = await hub.followEnd(sessionId)
  const times = []
  for (let index = 0; index < prompts; index += 1) {
    const start = performance.now()
    const end = follower.turnEnded()
    await hub.prompt(sessionId, 'text 1')
    await end
    times.push(performance.now() - start)
  }
  follower.close()
  return times
}
