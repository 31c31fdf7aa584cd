import { expect, test } from 'vitest'
import { isShareFull, splitBatch } from './commit-parts.js'

const event = (index: number, sessionId = 'session') => ({
  sessionId,
  run: undefined,
  since: performance.now(),
  index,
})

test('a flood of events blocks the event loop for at most five hundred of them at a time', () => {
  const pending = Array.from({ length: 1_700 }, (_, index) => event(index, `session-${index % 2}`))
  const sizes: number[] = []
  const order: number[] = []
  let waiting = pending
  while (waiting.length > 0) {
    const { batch, rest } = splitBatch(waiting)
    sizes.push(batch.length)
    order.push(...batch.map(({ index }) => index))
    waiting = rest
  }

  expect(sizes).toEqual([500, 500, 500, 200])
  expect(order).toEqual(pending.map(({ index }) => index))
})

test('the ends of a log are in one batch', () => {
  const flood = Array.from({ length: 498 }, (_, index) => event(index))
  const ends = [7, 8, 9, 10].map((after) => ({ ...event(after, 'lost'), after }))
  const { batch, rest } = splitBatch([...flood, ...ends, event(500)])
  expect(batch.slice(498)).toEqual(ends)
  expect(rest).toEqual([expect.objectContaining({ index: 500 })])
})

test('an agent is not read while its events fill the share of its session or wait for long', () => {
  const pending = Array.from({ length: 250 }, (_, index) => event(index))
  expect(isShareFull(pending, 'session', 1)).toBe(false)
  expect(isShareFull(pending, 'session', 2)).toBe(true)
  expect(isShareFull(pending, 'another', 2)).toBe(false)
  expect(isShareFull([{ ...event(0), since: performance.now() - 10_000 }], 'session', 1)).toBe(true)
})
