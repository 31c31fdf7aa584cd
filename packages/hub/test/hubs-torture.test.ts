// Three hubs on one PostgreSQL server, and faults of all kinds: each session has one gapless order and one owner at a time, every accepted
// prompt is in its log once, every follower gets the log, and no two agents of a session work at the same time.
// `npm test` has one short round with two hubs, `npm run test:torture` a hundred.
import { expect, test } from 'vitest'
import { figure, isTorture } from './faults/figure.js'
import { random } from './random.js'
import { tortureHubs } from './torture/hubs/hubs-torture.js'
import { describeHubs, describeViolations } from './torture/figures.js'
import type { FaultKind } from './torture/hubs/faults.js'

const ROUNDS = isTorture ? Number(process.env['QUAYSIDE_HUBS_ROUNDS'] ?? 100) : 1
const MAX_ROUND_MS = 120_000
/** In `npm test`: an answer of a commit is lost, which needs no lease to run out. */
const SHORT: readonly FaultKind[] = ['no-answers']

test(
  `${isTorture ? 'three' : 'two'} hubs keep everything they ever told in ${ROUNDS} rounds of faults`,
  { timeout: (ROUNDS + 1) * MAX_ROUND_MS },
  async ({ signal, task }) => {
    const short = isTorture
      ? {}
      : { faults: SHORT, hubCount: 2, sessionsPerHub: 1, hasUsualLease: true }
    const figures = await tortureHubs({ rounds: ROUNDS, random: random(), signal, ...short })
    console.info(describeHubs(figures))
    expect(describeViolations(figures)).toEqual([])
    expect(figures.rounds).toBe(ROUNDS)
    expect(figures.acknowledged).toBeGreaterThan(ROUNDS)
    expect(figures.looksAtOwners).toBeGreaterThan(ROUNDS)
    figure(task, { what: 'rounds of faults with three hubs', count: ROUNDS })
  },
)
