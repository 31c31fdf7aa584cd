// `npm run test:torture [rounds]`: kills a hub under load 200 times and prints what that came to. Fails when anything was lost.
// QUAYSIDE_TEST_SEED draws the same rounds again.
import { randomInt } from 'node:crypto'
import { bin, run, setUp } from './setup.mjs'

const [rounds = '200'] = process.argv.slice(2)
const seed = process.env.QUAYSIDE_TEST_SEED ?? String(randomInt(2 ** 31))

setUp()
process.stderr.write(`${rounds} rounds, about two seconds each, with QUAYSIDE_TEST_SEED=${seed}\n`)
const vitest = ['run', '--project', 'hub', '--disable-console-intercept', '--reporter', 'dot']
run(
  process.execPath,
  [bin('vitest', 'vitest.mjs'), ...vitest, 'packages/hub/test/recovery.test.ts'],
  { env: { ...process.env, QUAYSIDE_TORTURE_ROUNDS: rounds, QUAYSIDE_TEST_SEED: seed } },
)
