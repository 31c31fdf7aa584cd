// The delay of a follower at another hub, compared with one at the hub that runs the session, which gets each event when it is committed: alone, and
// while two hubs flood the database.
import { agesOf, floodOn, warmSession } from '../../hubs/flood.mjs'
import { quantiles } from '../../load/numbers.mjs'

const FLOOD = 50_000

export async function measureElsewhere({ hubs, count, size }) {
  const [owner, other, third] = hubs
  const sessionId = await warmSession(owner, { count })
  const alone = await lagsOf(owner, other, { sessionId, drips: size.drips })
  const flooded = []
  for (const hub of [other, third]) flooded.push({ hub, id: await warmSession(hub, { count }) })
  const ends = flooded.map(({ hub, id }) => floodOn(hub, id, { count: Math.min(count, FLOOD) }))
  const beside = await lagsOf(owner, other, { sessionId, drips: size.drips })
  await Promise.all(ends.map((end) => end()))
  for (const { hub, id } of [...flooded, { hub: owner, id: sessionId }]) await hub.endSession(id)
  const rows = [
    { what: 'alone', ...quantiles(alone) },
    { what: 'beside two flooding hubs', ...quantiles(beside) },
  ]
  return { elsewhere: rows }
}

/** The updates arrive at both in the same order. */
async function lagsOf(owner, other, { sessionId, drips }) {
  const near = await owner.followEnd(sessionId)
  const far = await other.followEnd(sessionId)
  const prompt = () => owner.prompt(sessionId, `drip ${drips}`)
  const [nearAges, farAges] = await Promise.all([
    agesOf(near, prompt),
    agesOf(far, () => undefined),
  ])
  near.close()
  far.close()
  if (nearAges.length !== farAges.length) throw new Error('the followers got different updates')
  return farAges.map((age, index) => Math.max(0, age - nearAges[index]))
}
