// One measurement in a separate process: `node reader-run.mjs <path> <load> <count>` prints one line of JSON.
import { numbersIn } from '../../load/load-lines.mjs'
import { floors } from '../../floors/line-readers.mjs'
import { AGENT } from '../../hubs/workspace.mjs'

const WARM_UP = 20_000
/** Not worth waiting for when little is read. */
const SETTLE_MS = 1_000
const FEW = 10_000

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
    setTimeout(resolve, count < FEW ? 0 : SETTLE_MS)
  })
  const rssBefore = process.memoryUsage.rss()
  await connection.prompt(`${load} ${Math.min(WARM_UP, count)}`)
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
