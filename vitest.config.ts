import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// Whole hubs with real children; the demo agent answers without its pauses.
const whole = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // Every wait ends, but none of them early.
  expect: { poll: { timeout: 30_000 } },
  env: { QUAYSIDE_DEMO_PACE: '0' },
}

/** Whole runs of agents: `npm run test:agents`. */
const AGENT_RUNS = ['agents-check', 'gemini-check'].map(
  (name) => `packages/hub/test/${name}.test.ts`,
)

export default defineConfig({
  test: {
    // Most of the time they wait for their children: on two cores three files at once keep both busy.
    maxWorkers: Math.max(3, availableParallelism()),
    projects: [
      {
        // A busy machine is no bug.
        test: { name: 'unit', include: ['packages/*/src/**/*.test.ts'], testTimeout: 30_000 },
      },
      {
        test: {
          name: 'hub',
          include: ['packages/hub/test/**/*.test.ts'],
          exclude: AGENT_RUNS,
          retry: 1,
          ...whole,
        },
      },
      { test: { name: 'agents', include: AGENT_RUNS, ...whole } },
      {
        test: { name: 'demo-agent', include: ['packages/demo-agent/test/**/*.test.ts'], ...whole },
      },
      {
        test: { name: 'newcomer', include: ['test/**/*.test.ts'], ...whole, testTimeout: 600_000 },
      },
      { test: { name: 'client', include: ['packages/client/test/**/*.test.ts'], ...whole } },
      // A page that is drawn late on a busy machine gets another chance; one that is wrong stays wrong.
      {
        test: { name: 'web', include: ['packages/web/test/**/*.test.ts'], ...whole, retry: 2 },
      },
    ],
  },
})
