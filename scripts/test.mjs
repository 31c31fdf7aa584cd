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
run(process.execPath, [bin('vitest', 'vitest.mjs'), 'run', ...process.argv.slice(2)])
