// A fast reader beside clients that do not read: its rate, and the memory that they cost.
import { flood, warmSession } from '../../hubs/flood.mjs'
import { rotated } from '../../load/numbers.mjs'

export async function measureStuck({ hub, count, size, round }) {
  const sessionId = await warmSession(hub, { count })
  const seen = {}
  for (const what of rotated(['alone', 'beside'], round))
    seen[what] = await measureOne(hub, sessionId, {
      count,
      stuck: what === 'alone' ? 0 : size.stuck,
    })
  await hub.endSession(sessionId)
  const { alone, beside } = seen
  return [rowOf('alone', alone, alone), rowOf('beside them', beside, alone)]

  function rowOf(what, { ms, growthMb }, floor) {
    const rate = (count / ms) * 1000
    return { what, 'updates/s': rate, '× alone': floor.ms / ms, 'hub RSS growth MB': growthMb }
  }
}

async function measureOne(hub, sessionId, { count, stuck }) {
  const followers = []
  for (let index = 0; index < stuck; index += 1) {
    const follower = await hub.follow(sessionId, 0)
    follower.pause()
    followers.push(follower)
  }
  const before = await hub.usage()
  const ms = await flood(hub, sessionId, { count })
  const growthMb = (await hub.usage()).rssMb - before.rssMb
  for (const follower of followers) follower.close()
  return { ms, growthMb }
}
