// One session while clients replay another one, or another agent sends one very large chunk.
import { BenchHub } from '../hubs/bench-hub.mjs'
import { drip, flood, warmSession } from '../hubs/flood.mjs'
import { LOADS } from '../load/load-lines.mjs'
import { medianRows, quantiles, rotated } from '../load/numbers.mjs'

export const sizes = {
  full: { replayed: 100_000, joiners: 10, drips: 300, chunkBytes: 10 * 1024 ** 2 },
  smoke: { replayed: 300, joiners: 2, drips: 5, chunkBytes: 100_000 },
}

export async function measure({ rounds, size, note }) {
  const seen = []
  for (let round = 0; round < rounds; round += 1) {
    note(`round ${round + 1} of ${rounds}`)
    const hub = await BenchHub.start()
    seen.push(await measureRound(hub, size, round))
    await hub.stop()
  }
  const rows = medianRows(seen)
  const worst = (ending) =>
    Math.max(...rows.filter(({ what }) => what.endsWith(ending)).map(({ p99 }) => p99))
  return {
    tables: [{ title: 'Updates of a session, ms from the agent to the client', rows }],
    figures: {
      oneReplayP99: worst('1 client replays'),
      tenJoinP99: worst(`${size.joiners} clients join`),
      chunkWorst: rows.at(-1).worst,
    },
  }
}

async function measureRound(hub, size, round) {
  const quiet = await warmSession(hub, { count: size.replayed })
  const rows = new Map([['alone', await drip(hub, quiet, `drip ${size.drips}`)]])
  for (const load of rotated(LOADS, round)) {
    const busy = await hub.createSession()
    await flood(hub, busy, { load, count: size.replayed })
    const last = await hub.lastSeq(busy)
    for (const many of [1, size.joiners]) {
      const what = many === 1 ? `${load}, 1 client replays` : `${load}, ${many} clients join`
      rows.set(what, await besideReplays(hub, { quiet, busy, last, many, drips: size.drips }))
    }
    await hub.endSession(busy)
  }
  rows.set('10 MiB chunk', await besideChunk(hub, quiet, size))
  const names = [
    'alone',
    ...LOADS.flatMap((load) => [...rows.keys()].filter((what) => what.startsWith(load))),
    '10 MiB chunk',
  ]
  return names.map((what) => ({ what, ...quantiles(rows.get(what)) }))
}

/** Joiners come again and again for as long as the session is measured. */
async function besideReplays(hub, { quiet, busy, last, many, drips }) {
  const over = new AbortController()
  const joining = Array.from({ length: many }, async () => {
    while (!over.signal.aborted) {
      const joiner = await hub.follow(busy)
      await joiner.reaches(last)
      joiner.close()
    }
  })
  const ages = await drip(hub, quiet, `drip ${drips}`)
  over.abort()
  await Promise.all(joining)
  return ages
}

/** The chunk comes while the other session drips; its worst update is the figure. */
async function besideChunk(hub, quiet, { drips, chunkBytes }) {
  const busy = await warmSession(hub, { count: drips })
  const follower = await hub.followEnd(busy)
  const ages = drip(hub, quiet, `drip ${drips}`)
  const end = follower.turnEnded()
  await hub.prompt(busy, `chunk ${chunkBytes}`)
  await end
  follower.close()
  const seen = await ages
  await hub.endSession(busy)
  return seen
}
