// The figures of `npm run test:torture`: a test that runs at full length there names its amount; test/setup/torture-table.ts prints them.
import type { RunnerTask } from 'vitest'

export const isTorture = 'QUAYSIDE_TORTURE_ROUNDS' in process.env

export type Figure = { readonly what: string; readonly count: number }

export function figure(task: Pick<RunnerTask, 'meta'>, figure: Figure): void {
  Object.assign(task.meta, { figure })
}
