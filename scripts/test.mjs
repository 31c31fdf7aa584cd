// `npm test`: installs the tests' dependencies, then checks, builds and runs all tests except the long runs (`test:agents`, `test:torture`).
import { checkSources } from './check.mjs'
import { runTests } from './run-tests.mjs'
import { fail, setUp } from './setup.mjs'

checkSources()
setUp()
// Imported after the set-up, which installs its dependencies.
const { installTestTools } = await import('./test-tools.mjs')
// Before the tests, so that a machine without one of them fails with one clear message and skips no test.
await installTestTools().catch((error) => fail(error.message))
const wanted = process.argv.slice(2)
// The agent check takes long: `npm run test:agents`.
const projects = wanted.includes('--project') ? [] : ['--project', '!agents']
await runTests([...projects, ...wanted])
