// Repeatable random numbers: the seed comes from QUAYSIDE_TEST_SEED, or is new, and is printed when a test fails.
import { onTestFailed } from 'vitest'

const SEED = Number(process.env['QUAYSIDE_TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
let streams = 0

/** Numbers from 0 to 1, a separate stream for each call. */
export function random(): () => number {
  onTestFailed(() => console.error(`replay with QUAYSIDE_TEST_SEED=${SEED}`))
  streams += 1
  let state = (SEED + streams * 0x9e3779b9) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
