// The harnesses of several hubs find faults: each of these mutants makes one of them fail.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { FAKETIME } from './faults/faketime.js'
import { isTorture } from './faults/figure.js'
import { newPostgresDatabase } from './postgres-fixture.js'
import { PostgresProxy } from './postgres-proxy.js'
import { random } from './random.js'
import { testEnvironment } from './test-environment.js'
import type { FaultKind } from './torture/hubs/faults.js'
import { tortureHubs } from './torture/hubs/hubs-torture.js'
import type { ViolationKind } from './torture/shadow.js'

const FENCE = fileURLToPath(new URL('torture/hubs/fence.mjs', import.meta.url))
const MUTANTS = new URL('torture/mutants.mjs', import.meta.url).href
const LOST = 'the answer to this is lost'
const MAX_ROUNDS = 10

const RIGHT = {
  late: { events: 1 },
  buried: { isSame: false, owns: false },
  stale: { events: 1 },
  'lost-answer': { events: 3 },
}
/** Each with its own fault. */
const WRONG = {
  late: { events: 2 },
  buried: { isSame: true, owns: true },
  stale: { events: 2 },
  'lost-answer': { events: 4 },
}
const FAULTS = 'checks-no-epoch renews-after-burial retries-blindly writes-after-lapse'

/** The results of all cases in one process, with mutants or without. */
async function fence(mutants: string): Promise<unknown> {
  const proxies: PostgresProxy[] = []
  try {
    const cases = Object.keys(RIGHT).map(async (name) => {
      const { proxy, url } = await PostgresProxy.open(await newPostgresDatabase())
      proxies.push(proxy)
      return { argument: `${name}=${url}`, cut: proxy.cutOnce('answer', LOST) }
    })
    const begun = await Promise.all(cases)
    const args = ['--import', MUTANTS, FENCE, ...begun.map(({ argument }) => argument)]
    const env = { ...testEnvironment(), QUAYSIDE_MUTANT: mutants }
    const { stdout } = await promisify(execFile)(process.execPath, args, { env })
    await Promise.race(begun.map(({ cut }) => cut))
    return JSON.parse(stdout)
  } finally {
    for (const proxy of proxies) proxy.close()
  }
}

test('a hub that was replaced stores nothing, also in a session from before, does not come back, and stores a batch once; one that does any of it is found out', async () => {
  expect(await fence('short-lease')).toEqual(RIGHT)
  expect(await fence(`short-lease ${FAULTS}`)).toEqual(WRONG)
})

type Rounds = { faults: FaultKind[]; blamed: ViolationKind[]; atLeastMs?: number }

/** Only where a clock can be set. */
const CLOCK: Record<string, Rounds> = {
  'follows-the-clock': { faults: ['clock-hole'], blamed: ['overlap'], atLeastMs: 10_000 },
}

const ROUNDS: Record<string, Rounds> = {
  'keeps-agents': { faults: ['pause'], blamed: ['overlap'], atLeastMs: 10_000 },
  'trusts-hints': { faults: ['deafen'], blamed: ['behind'] },
  'retries-blindly': { faults: ['no-answers'], blamed: ['doubled', 'lost', 'changed'] },
  ...(FAKETIME && CLOCK),
}

test.runIf(isTorture).each(Object.entries(ROUNDS))(
  'hubs of which each %s are found out',
  { timeout: 600_000 },
  async (mutant, { blamed, ...round }) => {
    const rounds = { rounds: MAX_ROUNDS, random: random(), sessionsPerHub: 1, ...round }
    const figures = await tortureHubs({ ...rounds, mutant, untilBlamed: blamed })
    expect(figures.violations.filter(({ kind }) => blamed.includes(kind))).not.toEqual([])
  },
)
