import { expect, test } from 'vitest'
import { splitBatch } from './commit-parts.js'

test('a flood of events blocks the event loop for at most five hundred of them at a time', () => {
  const pending = Array.from({ length: 1_700 }, (_, index) => ({
    sessionId: `session-${index % 2}`,
    run: undefined,
    index,
  }))
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
