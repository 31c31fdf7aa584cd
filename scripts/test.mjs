// `npm test`: everything that must hold. Installs what the tests need, then checks, builds and runs all tests.
import { checkSources } from './check.mjs'
import { bin, fail, run, setUp } from './setup.mjs'

checkSources()
setUp()
// Loaded only now: before the set-up there is nothing to load.
const { findChromium } = await import('./browser.mjs')
// Before the tests, so that a machine without a browser fails with one clear message and nothing is skipped.
await findChromium().catch((error) => fail(error.message))
const { installGemini } = await import('./agents.mjs')
await installGemini().catch((error) => fail(error.message))
const { installAcpx } = await import('./clients.mjs')
await installAcpx().catch((error) => fail(error.message))
const wanted = process.argv.slice(2)
// Whole runs of agents take their time: `npm run test:agents`.
const projects = wanted.includes('--project') ? [] : ['--project', '!agents']
run(process.execPath, [bin('vitest', 'vitest.mjs'), 'run', ...projects, ...wanted])
