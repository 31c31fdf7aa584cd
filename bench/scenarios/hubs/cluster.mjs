// Hubs that share a new database, each with a workspace of its own.
import { BenchHub } from '../../hubs/bench-hub.mjs'

const NAMES = ['studio', 'build', 'cloud']
const KNOWN_MS = 10_000

/** All of them know each other. */
export async function startHubs(database) {
  const url = await database.create()
  const hubs = []
  for (const name of NAMES)
    hubs.push(await BenchHub.start({ env: { QUAYSIDE_DATABASE_URL: url, QUAYSIDE_NAME: name } }))
  const giveUpAt = performance.now() + KNOWN_MS
  for (const hub of hubs)
    while ((await hub.ask('GET', '/api/hubs')).hubs.length < NAMES.length)
      if (performance.now() > giveUpAt) throw new Error('the hubs do not know each other')
  return hubs
}

export async function stopHubs(hubs) {
  for (const hub of hubs) await hub.stop()
}
