// `npm test`: installs the tests' dependencies, then checks, builds and runs all tests except the long runs (`test:agents`, `test:torture`).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { checkSources } from './check.mjs'
import { runTests } from './run-tests.mjs'
import { install, ROOT, setUp } from './setup.mjs'

install()
// Beside the checks and the build.
const tools = spawn(process.execPath, ['scripts/test-tools.mjs'], {
  cwd: ROOT,
  stdio: ['ignore', 2, 2],
})
const installed = once(tools, 'exit')
await checkSources()
setUp()
// Before the tests, so that a machine without one of them fails with one clear message and skips no test.
const [code] = await installed
if (code !== 0) process.exit(1)
const wanted = process.argv.slice(2)
// The agent check takes long: `npm run test:agents`.
const projects = wanted.includes('--project') ? [] : ['--project', '!agents']
await runTests([...projects, ...wanted])
