// The projects of the test suite: unit tests, and one project per package for tests with hubs, agents and browsers.
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { FileOrder } from './test/setup/file-order.ts'
import { SlowestFiles } from './test/setup/slowest-files.ts'

// A worker serves many files: modules, and a browser, are loaded once in each.
const shared = { isolate: false, setupFiles: ['./test/setup/file-cost.ts'] }

// Whole hubs with real children; the demo agent answers without its pauses.
const whole = {
  ...shared,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // Long enough for a busy machine.
  expect: { poll: { timeout: 30_000 } },
  env: { QUAYSIDE_DEMO_PACE: '0' },
}

/** The agent check: `npm run test:agents`. */
const AGENT_RUNS = ['agents-check', 'gemini-check'].map(
  (name) => `packages/hub/test/${name}.test.ts`,
)

/** Pure functions beside their files, and the checks of the whole repository: `npm run check`. */
const UNIT = ['packages/*/src/**/*.test.ts', 'test/checks/*.test.ts']

export default defineConfig({
  test: {
    // Pages, hubs and agents keep both cores of a small machine busy: a third file at once would only wait longer.
    maxWorkers: Math.max(2, availableParallelism()),
    reporters: ['default', new SlowestFiles()],
    sequence: { sequencer: FileOrder },
    projects: [
      // Allows for a busy machine.
      project('unit', UNIT, { ...shared, testTimeout: 30_000 }),
      project('hub', 'packages/hub/test/**/*.test.ts', { ...whole, exclude: AGENT_RUNS }),
      project('agents', AGENT_RUNS, whole),
      project('demo-agent', 'packages/demo-agent/test/**/*.test.ts', whole),
      project('newcomer', 'test/*.test.ts', { ...whole, testTimeout: 600_000 }),
      project('client', 'packages/client/test/**/*.test.ts', whole),
      project('web', 'packages/web/test/**/*.test.ts', whole),
    ],
  },
})

function project(name: string, include: string | readonly string[], options: object) {
  return { test: { name, include: [include].flat(), ...options } }
}
