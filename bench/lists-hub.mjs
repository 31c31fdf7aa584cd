// A hub in a process of its own: `node lists-hub.mjs <folder>` prints its address and how long it took to listen.
// Whatever is written to its stdin is answered with what it has used so far. It stops when its stdin ends.
import { join } from 'node:path'

const [folder] = process.argv.slice(2)
const { loadConfig } = await import('../packages/hub/dist/config.js')
const { createHub } = await import('../packages/hub/dist/hub.js')
const config = loadConfig({ port: '0', root: join(folder, 'workspace') }, process.env, folder)
const start = performance.now()
const hub = await createHub(config)
const startMs = performance.now() - start
process.stdout.write(`${JSON.stringify({ address: hub.address, startMs })}\n`)
process.stdin.on('data', () => {
  const { user, system } = process.cpuUsage()
  const usage = { cpuMs: (user + system) / 1000, rssMb: process.memoryUsage.rss() / 1024 ** 2 }
  process.stdout.write(`${JSON.stringify(usage)}\n`)
})
process.stdin.once('end', () => void hub.stop())
