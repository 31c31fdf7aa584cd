// The recovery harness finds faults: each of these mutants of the hub makes it fail.
import { expect, test } from 'vitest'
import { random } from './random.js'
import type { Kill, RoundPlan } from './torture/plan.js'
import type { ViolationKind } from './torture/shadow.js'
import { torture } from './torture/torture.js'

const MAX_ROUNDS = 10

const MUTANTS: Record<string, { blamed: ViolationKind[]; text: string; kill: Kill }> = {
  'answers-before-commit': {
    blamed: ['lost'],
    text: 'echo hello',
    kill: { at: 'acknowledged', count: 2 },
  },
  'tells-before-commit': {
    // An event that a client has seen is missing or different.
    blamed: ['lost', 'changed'],
    text: 'drip 500 1',
    kill: { at: 'working', ms: 200 },
  },
  'recovers-nothing': { blamed: ['untrue'], text: 'ask', kill: { at: 'working', ms: 50 } },
  'recovers-everything': { blamed: ['doubled'], text: 'ask', kill: { at: 'working', ms: 50 } },
  'ends-no-orphan': { blamed: ['orphan'], text: 'orphan', kill: { at: 'working', ms: 300 } },
}

/** The others take a minute: `npm run test:torture`. */
const ALWAYS = ['answers-before-commit', 'ends-no-orphan']
const isTorture = 'QUAYSIDE_TORTURE_ROUNDS' in process.env
const tried = Object.entries(MUTANTS).filter(([name]) => isTorture || ALWAYS.includes(name))

test.for(tried)(
  'a hub that %s is found out',
  { timeout: 120_000 },
  async ([mutant, { blamed, text, kill }], { signal }) => {
    const change = (plan: RoundPlan) => only(plan, text, kill)
    const figures = await torture({
      rounds: MAX_ROUNDS,
      random: random(),
      mutant,
      change,
      untilBlamed: blamed,
      signal,
    })
    expect(figures.violations.filter(({ kind }) => blamed.includes(kind))).not.toEqual([])
  },
)

/** A round with the same word for all steps, ended in one way. */
function only(plan: RoundPlan, text: string, kill: Kill): RoundPlan {
  // One client is enough to see an event that is not kept.
  const lanes = plan.lanes.slice(0, 1).map((lane) => ({
    ...lane,
    steps: lane.steps.map((step) => ({
      ...step,
      text,
      id: 'none' as const,
      next: 'nothing' as const,
    })),
  }))
  return { ...plan, lanes, kill, startKills: [], waitsForWatchdog: false }
}
