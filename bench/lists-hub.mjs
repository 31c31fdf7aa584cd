// A hub in a process of its own: `node lists-hub.mjs <folder>` prints its address and how long it took to listen, see usage.mjs.
import { join } from 'node:path'
import { serveUsage } from './usage.mjs'

const [folder] = process.argv.slice(2)
const { loadConfig } = await import('../packages/hub/dist/config.js')
const { createHub } = await import('../packages/hub/dist/hub.js')
const config = loadConfig({ port: '0', root: join(folder, 'workspace') }, process.env, folder)
const start = performance.now()
const hub = await createHub(config)
const startMs = performance.now() - start
serveUsage({ address: hub.address, startMs }, () => void hub.stop())
