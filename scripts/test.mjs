// `npm test`: installs what the tests need, then checks, builds and runs all tests but the long runs (`test:agents`, `test:torture`).
import { checkSources } from './check.mjs'
import { runTests } from './run-tests.mjs'
import { fail, setUp } from './setup.mjs'

checkSources()
setUp()
// Loaded only now: before the set-up there is nothing to load.
const { installTestTools } = await import('./test-tools.mjs')
// Before the tests, so that a machine that lacks one of them fails with one clear message and nothing is skipped.
await installTestTools().catch((error) => fail(error.message))
const wanted = process.argv.slice(2)
// Whole runs of agents take their time: `npm run test:agents`.
const projects = wanted.includes('--project') ? [] : ['--project', '!agents']
await runTests([...projects, ...wanted])
