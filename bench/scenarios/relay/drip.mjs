// The latency of single updates, beside a bare relay with the same client.
import { BareRelay } from '../../hubs/bare-relay-client.mjs'
import { agesOf, drip, warmSession } from '../../hubs/flood.mjs'
import { quantiles } from '../../load/numbers.mjs'

export async function measureDrip({ hub, count, size, round }) {
  const bare = () => bareDrip(size.drips)
  const own = () => hubDrip(hub, { count, drips: size.drips })
  const [floor, ages] =
    round % 2 === 0 ? [await bare(), await own()] : [await own(), await bare()].toReversed()
  return [rowOf('bare relay', floor, floor), rowOf('hub', ages, floor)]
}

async function bareDrip(drips) {
  const relay = await BareRelay.start()
  const follower = await relay.follow()
  await agesOf(follower, () => relay.prompt(`drip ${drips / 3}`))
  const ages = await agesOf(follower, () => relay.prompt(`drip ${drips}`))
  follower.close()
  await relay.stop()
  return ages
}

async function hubDrip(hub, { count, drips }) {
  const sessionId = await warmSession(hub, { count })
  const ages = await drip(hub, sessionId, `drip ${drips}`)
  await hub.endSession(sessionId)
  return ages
}

function rowOf(what, ages, floor) {
  const [own, bare] = [quantiles(ages), quantiles(floor)]
  return { what, ...own, 'p50 added': own.p50 - bare.p50, 'p99 added': own.p99 - bare.p99 }
}
