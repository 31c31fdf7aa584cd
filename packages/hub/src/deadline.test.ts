import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { settlesWithin, within } from './deadline.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = new Promise<never>(() => {})

test('a result in time is returned, and no timer is left', async () => {
  const onTimeout = vi.fn<() => void>()
  expect(await within(Promise.resolve('done'), 1_000, onTimeout)).toBe('done')
  expect(vi.getTimerCount()).toBe(0)
  expect(onTimeout).not.toHaveBeenCalled()
})

test('when the time is up the result is undefined and the caller can stop the work', async () => {
  const onTimeout = vi.fn<() => void>()
  const late = within(never, 1_000, onTimeout)
  await vi.advanceTimersByTimeAsync(999)
  expect(onTimeout).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(await late).toBeUndefined()
  expect(onTimeout).toHaveBeenCalledTimes(1)
})

test('a failure in time is passed on, and no timer is left', async () => {
  await expect(within(Promise.reject(new Error('no')), 1_000)).rejects.toThrow('no')
  expect(vi.getTimerCount()).toBe(0)
})

test('a promise without a value can be awaited with a deadline', async () => {
  expect(await settlesWithin(Promise.resolve(undefined), 1_000)).toBe(true)
  const late = settlesWithin(never, 1_000)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await late).toBe(false)
})
