// `npm run test:torture [rounds]`: kills a hub under load 200 times, attacks it with hostile requests, frames, lines, paths and repositories,
// torments three hubs on one PostgreSQL server for a hundred rounds (QUAYSIDE_HUBS_ROUNDS), takes its memory and its clock away, shows 500 hostile texts in a real browser, shows that each harness finds planted faults, and runs
// the repeated tests of `npm test` at full length. Prints a table of figures. QUAYSIDE_TEST_SEED repeats the same rounds.
import { randomInt } from 'node:crypto'
import { runTests } from './run-tests.mjs'
import { fail, setUp } from './setup.mjs'

const [rounds = '200'] = process.argv.slice(2)
const seed = process.env.QUAYSIDE_TEST_SEED ?? String(randomInt(2 ** 31))

setUp()
const { findChromium } = await import('./tools/browser.mjs')
await findChromium().catch((error) => fail(error.message))
process.stderr.write(`${rounds} rounds, about two seconds each, with QUAYSIDE_TEST_SEED=${seed}\n`)
const files = [
  'hub/test/recovery',
  'hub/test/recovery-mutants',
  'hub/test/hubs-torture',
  'hub/test/hubs-mutants',
  'hub/test/workspaces-torture',
  'hub/test/backup-kill',
  'hub/test/orphans-watchdog',
  'hub/test/git-hostile',
  'hub/test/hostile-requests',
  'hub/test/confined-files-hostile',
  'hub/test/confined-files-race',
  'hub/test/exhausted',
  'hub/test/fuzz',
  'hub/test/faults/fuzz-http',
  'hub/test/faults/fuzz-socket',
  'hub/test/faults/fuzz-exhausted',
  'hub/test/faults/git-blockers',
  'hub/test/faults/paths',
  'hub/test/faults/races',
  'hub/test/faults/leaks',
  'hub/test/faults/memory-exhausted',
  'hub/test/faults/clock-jumps',
  'hub/test/socket',
  'hub/test/queue',
  'hub/test/resume',
  'hub/test/shared',
  'hub/test/acp-permissions',
  'hub/test/acp-shared',
  'web/test/stories/a7-crash-and-restart',
  'hub/test/memory',
  'hub/test/memory-hub',
  'client/test/reconnection',
  'web/test/hostile-agent',
]
const paths = files.map((file) => `packages/${file}.test.ts`)
// The option comes last: it would take the path after it for its value.
await runTests([...paths, '--disable-console-intercept'], {
  QUAYSIDE_TORTURE_ROUNDS: rounds,
  QUAYSIDE_TEST_SEED: seed,
  QUAYSIDE_HOSTILE_WORDS: '500',
})
