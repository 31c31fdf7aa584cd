import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { FileOrder } from './test/setup/file-order.ts'
import { SlowestFiles } from './test/setup/slowest-files.ts'

const cores = availableParallelism()

// A worker serves many files: modules, and a browser, are loaded once in each.
const shared = { isolate: false, setupFiles: ['./test/setup/file-cost.ts'] }

// Whole hubs with real children; the demo agent answers without its pauses.
const whole = {
  ...shared,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // Every wait ends, but none of them early.
  expect: { poll: { timeout: 30_000 } },
  env: { QUAYSIDE_DEMO_PACE: '0' },
}

// Hubs and agents often wait for each other: one more file at a time fills the gaps. Pages and builds keep the cores busy.
const hubs = { ...whole, maxWorkers: Math.max(3, cores + 1), sequence: { groupOrder: 1 } }

/** Whole runs of agents: `npm run test:agents`. */
const AGENT_RUNS = ['agents-check', 'gemini-check'].map(
  (name) => `packages/hub/test/${name}.test.ts`,
)

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
      // A busy machine is no bug.
      project('unit', 'packages/*/src/**/*.test.ts', { ...shared, testTimeout: 30_000 }),
    ],
  },
})

function project(name: string, include: string | readonly string[], options: object) {
  return { test: { name, include: [include].flat(), ...options } }
}
