// A hub in a process of its own: `node lists-hub.mjs <folder>` prints its address and how long it took to listen.
// It stops when its stdin ends.
import { join } from 'node:path'

const [folder] = process.argv.slice(2)
const { loadConfig } = await import('../packages/hub/dist/config.js')
const { createHub } = await import('../packages/hub/dist/hub.js')
const config = loadConfig({ port: '0', root: join(folder, 'workspace') }, process.env, folder)
const start = performance.now()
const hub = await createHub(config)
const startMs = performance.now() - start
process.stdout.write(`${JSON.stringify({ address: hub.address, startMs })}\n`)
process.stdin.resume()
process.stdin.once('end', () => void hub.stop())
