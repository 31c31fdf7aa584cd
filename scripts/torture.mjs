// `npm run test:torture [rounds]`: kills a hub under load 200 times and prints the figures, shows that the harness finds every planted
// fault, shows 500 hostile texts of an agent in a real browser, and runs the repeated tests of `npm test` at full length.
// Fails when an event is lost, a fault is missed or a hostile text runs code. QUAYSIDE_TEST_SEED repeats the same rounds.
import { randomInt } from 'node:crypto'
import { runTests } from './run-tests.mjs'
import { fail, setUp } from './setup.mjs'

const [rounds = '200'] = process.argv.slice(2)
const seed = process.env.QUAYSIDE_TEST_SEED ?? String(randomInt(2 ** 31))

setUp()
const { findChromium } = await import('./browser.mjs')
await findChromium().catch((error) => fail(error.message))
process.stderr.write(`${rounds} rounds, about two seconds each, with QUAYSIDE_TEST_SEED=${seed}\n`)
const files = [
  'hub/test/recovery',
  'hub/test/recovery-mutants',
  'hub/test/backup-kill',
  'hub/test/orphans-watchdog',
  'hub/test/git-hostile',
  'hub/test/fuzz',
  'hub/test/socket',
  'hub/test/queue',
  'hub/test/resume',
  'hub/test/shared',
  'hub/test/acp-permissions',
  'hub/test/memory',
  'client/test/reconnection',
  'web/test/hostile-agent',
]
const paths = files.map((file) => `packages/${file}.test.ts`)
await runTests(['--disable-console-intercept', '--reporter', 'dot', ...paths], {
  QUAYSIDE_TORTURE_ROUNDS: rounds,
  QUAYSIDE_TEST_SEED: seed,
  QUAYSIDE_HOSTILE_WORDS: '500',
})
