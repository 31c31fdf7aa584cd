import { defineConfig } from 'vitest/config'

const whole = { testTimeout: 60_000, hookTimeout: 60_000, teardownTimeout: 30_000 }

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['packages/*/src/**/*.test.ts'] } },
      { test: { name: 'hub', include: ['packages/hub/test/**/*.test.ts'], ...whole } },
      { test: { name: 'demo-agent', include: ['packages/demo-agent/test/**/*.test.ts'], ...whole } },
      { test: { name: 'web', include: ['packages/web/test/**/*.test.ts'], ...whole } },
    ],
  },
})
