import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SilenceWatch } from './silence-watch.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watch(isExcused = () => false) {
  const reported: number[] = []
  const silence = new SilenceWatch({
    limitMs: 60_000,
    isExcused,
    onSilence: (ms) => reported.push(ms),
  })
  silence.start()
  return { silence, reported }
}

test('a silent turn is reported once', () => {
  const { reported } = watch()
  vi.advanceTimersByTime(59_000)
  expect(reported).toEqual([])
  vi.advanceTimersByTime(1_000)
  expect(reported).toEqual([60_000])
  vi.advanceTimersByTime(600_000)
  expect(reported).toHaveLength(1)
})

test('activity restarts the clock, and a new silence is reported again', () => {
  const { silence, reported } = watch()
  vi.advanceTimersByTime(50_000)
  silence.noteActivity()
  vi.advanceTimersByTime(59_000)
  expect(reported).toEqual([])
  vi.advanceTimersByTime(1_000)
  expect(reported).toHaveLength(1)
  silence.noteActivity()
  vi.advanceTimersByTime(120_000)
  expect(reported).toHaveLength(2)
})

test('waiting for a person or a terminal is not silence', () => {
  let isWaiting = true
  const { reported } = watch(() => isWaiting)
  vi.advanceTimersByTime(600_000)
  expect(reported).toEqual([])
  isWaiting = false
  vi.advanceTimersByTime(120_000)
  expect(reported).toHaveLength(1)
})

test('after the turn no silence is reported', () => {
  const { silence, reported } = watch()
  silence.stop()
  vi.advanceTimersByTime(600_000)
  expect(reported).toEqual([])
})
