// A hub in a separate process: `node hub-process.mjs <folder>` prints its address and the time until it listened, see usage.mjs.
import { join } from 'node:path'
import { serveUsage } from './usage.mjs'

const [folder] = process.argv.slice(2)
const { createHub } = await import('../../packages/hub/bundle/index.js')
const start = performance.now()
const hub = await createHub({ port: 0, roots: [join(folder, 'workspace')] })
const startMs = performance.now() - start
serveUsage({ address: hub.address, startMs }, () => void hub.stop())
