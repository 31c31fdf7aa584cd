import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { IdleWatch } from './idle-watch.js'

const LIMIT_MS = 30 * 60_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watch(isBusy = () => false) {
  const onIdle = vi.fn<() => void>()
  return { idle: new IdleWatch({ limitMs: LIMIT_MS, isBusy, onIdle }), onIdle }
}

test('Detect idle session: after the limit without activity it is reported once', () => {
  const { onIdle } = watch()
  vi.advanceTimersByTime(LIMIT_MS - 1)
  expect(onIdle).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  vi.advanceTimersByTime(LIMIT_MS * 3)
  expect(onIdle).toHaveBeenCalledTimes(1)
})

test('Reset idle timer on activity: the limit counts from the last activity', () => {
  const { idle, onIdle } = watch()
  for (let hour = 0; hour < 5; hour += 1) {
    vi.advanceTimersByTime(LIMIT_MS - 1)
    idle.noteActivity()
  }
  vi.advanceTimersByTime(LIMIT_MS - 1)
  expect(onIdle).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onIdle).toHaveBeenCalledTimes(1)
})

test('a busy session is not idle; the limit counts from when it was last seen busy', () => {
  let isBusy = true
  const { onIdle } = watch(() => isBusy)
  vi.advanceTimersByTime(LIMIT_MS * 3)
  isBusy = false
  vi.advanceTimersByTime(LIMIT_MS - 1)
  expect(onIdle).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onIdle).toHaveBeenCalledTimes(1)
})

test('a stopped watch reports nothing', () => {
  const { idle, onIdle } = watch()
  idle.stop()
  vi.advanceTimersByTime(LIMIT_MS * 3)
  expect(onIdle).not.toHaveBeenCalled()
})
