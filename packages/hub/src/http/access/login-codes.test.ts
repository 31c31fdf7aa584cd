import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LoginCodes } from './login-codes.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a code is good for ten minutes, or for as long as was said', () => {
  const codes = new LoginCodes()
  const [usual, long, short] = [
    codes.mint(),
    codes.mint({ ttlMs: 3_600_000 }),
    codes.mint({ ttlMs: 1_000 }),
  ]
  vi.advanceTimersByTime(1_001)
  expect(() => codes.redeem(short.code)).toThrow('expired')
  vi.advanceTimersByTime(600_000)
  expect(() => codes.redeem(usual.code)).toThrow('expired')
  expect(codes.redeem(long.code)).toMatchObject({ scope: 'admin' })
})

test('a clock that is set back does not prolong a code, and one that is set forward ends it', () => {
  const codes = new LoginCodes()
  const [back, forward] = [codes.mint(), codes.mint({ ttlMs: 3_600_000 })]
  vi.setSystemTime(Date.now() - 5 * 3_600_000)
  vi.advanceTimersByTime(600_001)
  expect(() => codes.redeem(back.code)).toThrow('expired')
  vi.setSystemTime(Date.now() + 10 * 3_600_000)
  expect(() => codes.redeem(forward.code)).toThrow('expired')
})
