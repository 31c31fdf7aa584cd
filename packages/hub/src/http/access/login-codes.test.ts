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
