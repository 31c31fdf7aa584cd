// One measurement in a separate process: `node reader-run.mjs <path> <load> <count>` prints one line of JSON.
import { fileURLToPath } from 'node:url'
import { numbersIn } from './load-lines.mjs'
import { floors } from './reader-floors.mjs'

const AGENT = fileURLToPath(new URL('load-agent.mjs', import.meta.url))
const WARM_UP = 20_000
const SETTLE_MS = 1_000

const [path, load, count] = process.argv.slice(2)
process.stdout.write(`${JSON.stringify(await measure(path, load, Number(count)))}\n`)

async function measure(path, load, count) {
  let received = 0
  let last
  const connection = await (
    await find(path)
  )(AGENT, (update, chunks = 1) => {
    received += chunks
    last = update
  })
  // Waits for background work of the start (mostly compiling), which is not part of reading.
  await new Promise((resolve) => {
    setTimeout(resolve, SETTLE_MS)
  })
  const rssBefore = process.memoryUsage.rss()
  await connection.prompt(`${load} ${WARM_UP}`)
  received = 0
  const cpu = process.cpuUsage()
  const start = performance.now()
  await connection.prompt(`${load} ${count}`)
  const ms = performance.now() - start
  const { user, system } = process.cpuUsage(cpu)
  const rssGrowth = process.resourceUsage().maxRSS * 1024 - rssBefore
  requireAll((await connection.readNumbers?.()) ?? { received, last }, count)
  await connection.close()
  return { ms, cpuMs: (user + system) / 1000, rssGrowth }
}

/** The floors do not load the hub, which would add to their memory. */
async function find(path) {
  return floors[path] ?? (await import('./reader-hub.mjs')).hubPaths[path]
}

/** Fails the measurement when updates were lost or reordered. */
function requireAll(seen, count) {
  const isWhole = Array.isArray(seen)
    ? seen.length === count && seen.every((number, index) => number === index + 1)
    : seen.received === count && numbersIn(JSON.stringify(seen.last)).at(-1) === count
  if (!isWhole) throw new Error('updates were lost or came in another order')
}
