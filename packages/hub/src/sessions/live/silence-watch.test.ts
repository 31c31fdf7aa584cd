import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SilenceWatch } from './silence-watch.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watch(isExcused = () => false) {
  const told: number[] = []
  const silence = new SilenceWatch({ limitMs: 60_000, isExcused, onSilence: (ms) => told.push(ms) })
  silence.start()
  return { silence, told }
}

test('a turn without a sound is noticed once', () => {
  const { told } = watch()
  vi.advanceTimersByTime(59_000)
  expect(told).toEqual([])
  vi.advanceTimersByTime(1_000)
  expect(told).toEqual([60_000])
  vi.advanceTimersByTime(600_000)
  expect(told).toHaveLength(1)
})

test('a sound starts the clock anew, and a new silence is noticed again', () => {
  const { silence, told } = watch()
  vi.advanceTimersByTime(50_000)
  silence.sound()
  vi.advanceTimersByTime(59_000)
  expect(told).toEqual([])
  vi.advanceTimersByTime(1_000)
  expect(told).toHaveLength(1)
  silence.sound()
  vi.advanceTimersByTime(120_000)
  expect(told).toHaveLength(2)
})

test('waiting for a person or a terminal is not silence', () => {
  let isWaiting = true
  const { told } = watch(() => isWaiting)
  vi.advanceTimersByTime(600_000)
  expect(told).toEqual([])
  isWaiting = false
  vi.advanceTimersByTime(120_000)
  expect(told).toHaveLength(1)
})

test('after the turn nothing is told', () => {
  const { silence, told } = watch()
  silence.stop()
  vi.advanceTimersByTime(600_000)
  expect(told).toEqual([])
})
