import { spawn } from 'node:child_process'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { sweep } from './process-sweep.js'
import { findStartTime, type ProcessEntry } from './process-table.js'

afterEach(() => {
  vi.useRealTimers()
})

test('processes are ended in time although the clock of the machine stands still', async () => {
  const stubborn = spawn('sh', ['-c', 'trap "" TERM; while :; do sleep 1; done'])
  onTestFinished(() => void stubborn.kill('SIGKILL'))
  const pid = stubborn.pid!
  const entry: ProcessEntry = {
    pid,
    ppid: process.pid,
    pgid: pid,
    name: 'sh',
    owner: undefined,
    rssBytes: 0,
    isZombie: false,
    startTime: findStartTime(pid) ?? 0,
  }
  let isRunning = true
  stubborn.once('exit', () => (isRunning = false))
  vi.useFakeTimers({ toFake: ['Date'] })

  const swept = await sweep(() => (isRunning ? [entry] : []), { termGraceMs: 100 })
  const given = await sweep(() => [entry], { termGraceMs: 0, killDeadlineMs: 100 })

  expect(swept).toEqual({ ended: 1, left: [] })
  expect(given.left, 'gives up on what cannot be ended').toEqual([entry])
})
