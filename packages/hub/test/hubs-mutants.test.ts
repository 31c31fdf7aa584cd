// The harnesses of several hubs find faults: each of these mutants makes one of them fail.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
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

/** The result of one case, with a mutant or without. */
async function fence(name: string, mutant: string): Promise<unknown> {
  const { proxy, url } = await PostgresProxy.open(await newPostgresDatabase())
  const cut = proxy.cutOnce('answer', LOST)
  try {
    const env = { ...testEnvironment(), QUAYSIDE_MUTANT: mutant }
    const args = ['--import', MUTANTS, FENCE, name, url]
    const { stdout } = await promisify(execFile)(process.execPath, args, { env })
    if (name === 'lost-answer') await cut
    return JSON.parse(stdout)
  } finally {
    proxy.close()
  }
}

const CASES = [
  ['late', 'checks-no-epoch', { events: 1 }],
  ['buried', 'renews-after-burial', { isSame: false, owns: false }],
  ['lost-answer', 'retries-blindly', { events: 3 }],
] as const

test.each(CASES)('a hub that was replaced, %s: %s is found out', async (name, mutant, wanted) => {
  expect(await fence(name, 'short-lease')).toEqual(wanted)
  expect(await fence(name, `short-lease ${mutant}`)).not.toEqual(wanted)
})

type Rounds = { faults: FaultKind[]; blamed: ViolationKind[]; atLeastMs?: number }

const ROUNDS: Record<string, Rounds> = {
  'keeps-agents': { faults: ['pause'], blamed: ['overlap'], atLeastMs: 10_000 },
  'trusts-hints': { faults: ['deafen'], blamed: ['behind'] },
  'retries-blindly': { faults: ['no-answers'], blamed: ['doubled', 'lost', 'changed'] },
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
