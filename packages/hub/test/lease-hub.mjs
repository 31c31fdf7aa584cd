// A hub with a short lease as a process of its own, which can be stopped and killed. Prints its address.
import { loadConfig } from '../dist/config/config.js'
import { createHub } from '../dist/hub.js'

const { LEASE_MS, ...env } = process.env
const config = loadConfig({ port: '0' }, env, process.cwd())
const hub = await createHub({ ...config, leaseMs: Number(LEASE_MS) })
process.stdout.write(`${hub.address}\n`)
process.once('SIGTERM', () => void hub.stop().then(() => process.exit(0)))
