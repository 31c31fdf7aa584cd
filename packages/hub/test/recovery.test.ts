// kill -9 at any instant: nothing told is lost, doubled or changed, statuses are true, no process stays, and work goes on.
// `npm run test:torture` runs the same with more rounds.
import { expect, test } from 'vitest'
import { random } from './random.js'
import { describeFigures, describeViolations } from './torture/figures.js'
import { torture } from './torture/torture.js'

const ROUNDS = Number(process.env['QUAYSIDE_TORTURE_ROUNDS'] ?? 12)
const MAX_ROUND_MS = 10_000

test(
  `a hub that is killed ${ROUNDS} times keeps everything it ever told`,
  { timeout: ROUNDS * MAX_ROUND_MS },
  async ({ signal }) => {
    const figures = await torture({ rounds: ROUNDS, random: random(), signal })
    console.info(describeFigures(figures))
    expect(describeViolations(figures)).toEqual([])
    expect(figures.acknowledged).toBeGreaterThan(ROUNDS)
    expect(figures.eventsCompared).toBeGreaterThan(ROUNDS)
  },
)
