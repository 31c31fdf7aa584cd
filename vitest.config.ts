// The projects of the test suite: unit tests, and one project per package for tests with hubs, agents and browsers.
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { FileOrder } from './test/setup/file-order.ts'
import { SlowestFiles } from './test/setup/slowest-files.ts'
import { TortureTable } from './test/setup/torture-table.ts'

const cores = availableParallelism()
/** `npm run test:torture`. */
const isTorture = 'QUAYSIDE_TORTURE_ROUNDS' in process.env

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

// Hubs and agents often wait for each other, and browsers for hubs: more files than cores at a time fill the gaps.
const hubs = { ...whole, maxWorkers: Math.max(4, cores + 2), sequence: { groupOrder: 1 } }

const MORE_ON_POSTGRES = [
  'packages/hub/test/acp-{permissions,shared,live}.test.ts',
  'packages/web/test/stories/a{2,5,6,7,9}-*.test.ts',
]

/** The agent check: `npm run test:agents`. */
const AGENT_RUNS = ['agents-check', 'gemini-check'].map(
  (name) => `packages/hub/test/${name}.test.ts`,
)

/** Run a second time, with hubs on PostgreSQL: kill -9, the ACP client and stories of the page; with `npm run test:torture` more of them. */
const ON_POSTGRES = [
  'packages/hub/test/recovery.test.ts',
  'packages/hub/test/acp.test.ts',
  'packages/web/test/stories/a4-the-decision.test.ts',
  ...(isTorture ? MORE_ON_POSTGRES : []),
]

/** One project, because a worker serves one: it loads the hub once for the tests of all three. */
const HUBS = ['hub', 'client', 'demo-agent'].map((name) => `packages/${name}/test/**/*.test.ts`)

/** Pure functions beside their files, and the checks of the whole repository: `npm run check`. */
const UNIT = ['packages/*/src/**/*.test.ts', 'test/checks/*.test.ts']

export default defineConfig({
  test: {
    maxWorkers: Math.max(3, cores + 1),
    reporters: isTorture ? ['dot', new TortureTable()] : ['default', new SlowestFiles()],
    sequence: { sequencer: FileOrder },
    // The projects share the transformed sources; without it each transforms the hub anew.
    experimental: { fsModuleCache: true },
    projects: [
      project('newcomer', 'test/*.test.ts', { ...whole, testTimeout: 600_000 }),
      project('web', 'packages/web/test/**/*.test.ts', whole),
      project('hub', HUBS, {
        ...hubs,
        exclude: AGENT_RUNS,
        globalSetup: './test/setup/postgres-server.ts',
      }),
      project('postgres', ON_POSTGRES, {
        ...hubs,
        globalSetup: './test/setup/postgres-server.ts',
        env: { ...hubs.env, QUAYSIDE_TEST_ENGINE: 'postgres' },
      }),
      project('agents', AGENT_RUNS, hubs),
      // Allows for a busy machine.
      project('unit', UNIT, { ...shared, testTimeout: 30_000 }),
    ],
  },
})

function project(name: string, include: string | readonly string[], options: object) {
  return { test: { name, include: [include].flat(), ...options } }
}
