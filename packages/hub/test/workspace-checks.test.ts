// The check command in a work tree: its deadline, a stop, a later check, and a terminal that is gone when the hub starts.
import { join } from 'node:path'
import type { CheckRun } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { createLog } from '../src/log.js'
import { WorkspaceChecks } from '../src/workspaces/workspace-checks.js'
import { makeTerminalFolder, peopleTerminals } from './terminal-fixture.js'

function stage(options: { readonly maxMs?: number } = {}) {
  const folder = makeTerminalFolder()
  const terminals = peopleTerminals(folder)
  const recorded: CheckRun[] = []
  const record = async (_: string, check: CheckRun) => void recorded.push(check)
  const checks = new WorkspaceChecks({ terminals, record, log: createLog('silent'), ...options })
  const path = join(folder, 'workspace', 'shop-api')
  const run = (command: string) => checks.start({ sessionId: 'one', repoId: 'repo', path, command })
  return { checks, terminals, recorded, run }
}

test('a check that takes too long is stopped and has failed', async () => {
  const { recorded, run, terminals } = stage({ maxMs: 500 })
  const { terminalId } = await run('sleep 60')
  await expect.poll(() => recorded.at(-1)).toMatchObject({ state: 'failed', seconds: 0.5 })
  expect(recorded.at(-1)).toHaveProperty('reason')
  expect(terminals.list().map(({ id }) => id)).not.toContain(terminalId)
})

test('a later check stops the one before, and only its result counts', async () => {
  const { recorded, run, checks } = stage()
  await run('sleep 60')
  await run('exit 2')
  await expect.poll(() => recorded.at(-1)).toMatchObject({ state: 'failed', exitCode: 2 })
  expect(recorded.map(({ state }) => state)).toEqual(['running', 'unknown', 'running', 'failed'])
  await run('sleep 60')
  await checks.stop('one')
  expect(recorded.at(-1)).toMatchObject({ state: 'unknown', reason: 'The check was stopped.' })
})

test('a stop also ends a check that is being started', async () => {
  const { recorded, run, checks, terminals } = stage()
  const started = run('sleep 60')
  await checks.stop('one')
  expect(terminals.list()).toEqual([])
  expect(await started).toMatchObject({ state: 'running' })
  expect(recorded.at(-1)).toMatchObject({ state: 'unknown', reason: 'The check was stopped.' })
})

test('a check whose terminal is gone at the next start is unknown', async () => {
  const { recorded, checks } = stage()
  const startedAt = new Date().toISOString()
  checks.follow('one', { state: 'running', command: 'true', startedAt, terminalId: 'gone' })
  await expect.poll(() => recorded).toMatchObject([{ state: 'unknown' }])
})

test('the end of the hub records nothing, because the check runs on', async () => {
  const { recorded, checks, terminals, run } = stage()
  await run('sleep 60')
  checks.close()
  terminals.close()
  await checks.stop('one')
  expect(recorded.map(({ state }) => state)).toEqual(['running'])
})
