// kill -9 at any instant: no acknowledged event is lost, doubled or changed, statuses are true, no process stays, and work continues.
// `npm test` kills once in each way, `npm run test:torture` two hundred times at random instants.
import { expect, test } from 'vitest'
import { figure } from './faults/figure.js'
import { random } from './random.js'
import { describeFigures, describeViolations } from './torture/figures.js'
import type { RoundPlan } from './torture/plan.js'
import { torture } from './torture/torture.js'

const MAX_ROUND_MS = 60_000
const KINDS = 4
const drawnRounds = process.env['QUAYSIDE_TORTURE_ROUNDS']
const ROUNDS = Number(drawnRounds ?? KINDS)

type Ways = Pick<RoundPlan, 'kill' | 'startKills' | 'waitsForWatchdog'>

/** Every kind of kill once, at random instants. */
function eachKind(number: () => number): Ways[] {
  const upTo = (max: number): number => 1 + Math.floor(number() * max)
  return [
    { kill: { at: 'acknowledged', count: upTo(12) }, startKills: [], waitsForWatchdog: false },
    {
      kill: { at: 'opening', ms: upTo(400) },
      startKills: [{ at: 'recovered', recoveredSessions: upTo(2) }],
      waitsForWatchdog: true,
    },
    {
      kill: { at: 'working', ms: upTo(400) },
      startKills: [{ at: 'time', ms: upTo(300) }],
      waitsForWatchdog: false,
    },
    {
      kill: { at: 'stopping', ms: upTo(200), stopMs: upTo(200) },
      startKills: [],
      waitsForWatchdog: false,
    },
  ]
}

test(
  `a hub that is killed ${ROUNDS} times keeps everything it ever told`,
  { timeout: ROUNDS * MAX_ROUND_MS },
  async ({ signal, task }) => {
    const number = random()
    const ways = drawnRounds === undefined ? eachKind(number) : []
    let round = 0
    const change = (plan: RoundPlan): RoundPlan => ({ ...plan, ...ways[round++] })
    const figures = await torture({ rounds: ROUNDS, random: number, change, signal })
    console.info(describeFigures(figures))
    expect(describeViolations(figures)).toEqual([])
    expect(figures.acknowledged).toBeGreaterThan(ROUNDS)
    expect(figures.eventsCompared).toBeGreaterThan(ROUNDS)
    figure(task, { what: 'kills of the hub (kill -9)', count: ROUNDS })
  },
)
