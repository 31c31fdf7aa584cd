// The projects of the test suite: unit tests, and one project per package for tests with hubs, agents and browsers.
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { FileOrder } from './test/setup/file-order.ts'
import { SlowestFiles } from './test/setup/slowest-files.ts'

const cores = availableParallelism()

// A worker serves many files: modules, and a browser, are loaded once in each.
const shared = { isolate: false, setupFiles: ['./test/setup/file-cost.ts'] }

// Whole hubs with real children. The demo agent answers without its pauses, and serves sessions that name no agent.
const whole = {
  ...shared,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // Long enough for a busy machine.
  expect: { poll: { timeout: 30_000 } },
  env: { QUAYSIDE_DEMO_PACE: '0', QUAYSIDE_AGENT: 'demo' },
}

// Hubs and agents often wait for each other: one more file at a time fills the gaps. Pages and builds keep the cores busy.
const hubs = { ...whole, maxWorkers: Math.max(3, cores + 1), sequence: { groupOrder: 1 } }

/** The agent check: `npm run test:agents`. */
const AGENT_RUNS = ['agents-check', 'gemini-check'].map(
  (name) => `packages/hub/test/${name}.test.ts`,
)

/** Pure functions beside their files, and the checks of the whole repository: `npm run check`. */
const UNIT = ['packages/*/src/**/*.test.ts', 'test/checks/*.test.ts']

export default defineConfig({
  test: {
    maxWorkers: Math.max(2, cores),
    reporters: ['default', new SlowestFiles()],
    sequence: { sequencer: FileOrder },
    projects: [
      project('newcomer', 'test/*.test.ts', { ...whole, testTimeout: 600_000 }),
      project('web', 'packages/web/test/**/*.test.ts', whole),
      project('hub', 'packages/hub/test/**/*.test.ts', { ...hubs, exclude: AGENT_RUNS }),
      project('client', 'packages/client/test/**/*.test.ts', hubs),
      project('demo-agent', 'packages/demo-agent/test/**/*.test.ts', hubs),
      project('agents', AGENT_RUNS, hubs),
      // Allows for a busy machine.
      project('unit', UNIT, { ...shared, testTimeout: 30_000 }),
    ],
  },
})

function project(name: string, include: string | readonly string[], options: object) {
  return { test: { name, include: [include].flat(), ...options } }
}
