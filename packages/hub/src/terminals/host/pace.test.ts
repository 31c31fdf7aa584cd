import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Pace } from './pace.js'

const STEP = 64 * 1024
const [fast, slow, dead, only] = [{}, {}, {}, {}]
let calls: string[]
let pace: Pace

beforeEach(() => {
  vi.useFakeTimers()
  calls = []
  pace = new Pace({
    pause: () => calls.push('pause'),
    resume: () => calls.push('resume'),
    maxLagBytes: 1000,
  })
})
afterEach(() => void vi.useRealTimers())

test('a program that nobody follows never waits', () => {
  pace.printed(1_000_000)
  expect(calls).toEqual([])
})

test('it waits for the fastest reader, and goes on when that one has caught up', () => {
  pace.taken(fast, 0)
  pace.taken(slow, 0)
  pace.printed(1000)
  expect(calls).toEqual([])
  pace.printed(1001)
  expect(calls).toEqual(['pause'])
  pace.taken(fast, 1)
  expect(calls).toEqual(['pause', 'resume'])
  vi.runAllTimers()
  expect(calls).toEqual(['pause', 'resume'])
})

test('a reader who stands still costs it a moment for each step', () => {
  pace.taken(dead, 0)
  pace.printed(2000)
  vi.runAllTimers()
  expect(calls).toEqual(['pause', 'resume'])
  pace.printed(2000 + STEP - 1)
  expect(calls).toEqual(['pause', 'resume'])
  pace.printed(2000 + STEP)
  expect(calls).toEqual(['pause', 'resume', 'pause'])
})

test('when the last reader leaves it goes on at once', () => {
  pace.taken(only, 0)
  pace.printed(2000)
  pace.left(only)
  pace.printed(2_000_000)
  expect(calls).toEqual(['pause', 'resume'])
})
