// kill -9 at any instant of an undo, a fork, a commit, a merge or a discard: every kept state can be restored byte for byte, work trees are never half
// changed, and the rest of the disk stays as it is. `npm test` runs one round, `npm run test:torture` a hundred.
import { expect, test } from 'vitest'
import { figure, isTorture } from './faults/figure.js'
import { random } from './random.js'
import type { Action } from './torture/workspaces/workspace-client.js'
import { tortureWorkspaces } from './torture/workspaces/workspace-torture.js'

const MAX_ROUND_MS = 60_000
const MAX_ROUNDS = 100
const ROUNDS = Math.min(Number(process.env['QUAYSIDE_TORTURE_ROUNDS'] ?? 1), MAX_ROUNDS)

test(
  `work trees keep every state through ${ROUNDS} rounds of kills`,
  { timeout: ROUNDS * MAX_ROUND_MS },
  async ({ signal, task }) => {
    const figures = await tortureWorkspaces({ rounds: ROUNDS, random: random(), signal })
    const { violations, ...counts } = figures
    console.info(JSON.stringify(counts))
    expect(violations).toEqual([])
    expect(figures.statesCompared).toBeGreaterThanOrEqual(ROUNDS)
    figure(task, { what: 'kills in undo, fork, commit, merge and discard', count: ROUNDS })
  },
)

const MUTANTS: Record<string, readonly Action[]> = {
  'undoes-over-changes': ['turn', 'edit', 'undo'],
  'undoes-without-journal': ['turn', 'undo'],
  'discards-without-keeping': ['turn', 'discard'],
  'forks-present-files': ['turn', 'turn', 'edit', 'fork'],
}
/** They take minutes: `npm run test:torture`. */
const tried = isTorture ? Object.entries(MUTANTS) : []

test.for(tried)(
  'a hub that %s is found out',
  { timeout: 600_000 },
  async ([mutant, script], { signal }) => {
    const options = { rounds: 15, random: random(), mutant, script, signal }
    const { violations } = await tortureWorkspaces(options)
    expect(violations).not.toEqual([])
  },
)
