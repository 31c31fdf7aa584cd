// A hub in a process of its own: `node lists-hub.mjs <folder>` prints its address and how long it took to listen, see usage.mjs.
import { join } from 'node:path'
import { serveUsage } from './usage.mjs'

const [folder] = process.argv.slice(2)
const { createHub } = await import('../packages/hub/bundle/index.js')
const start = performance.now()
const hub = await createHub({ port: 0, roots: [join(folder, 'workspace')] })
const startMs = performance.now() - start
serveUsage({ address: hub.address, startMs }, () => void hub.stop())
