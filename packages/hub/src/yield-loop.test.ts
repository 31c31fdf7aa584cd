import { expect, test } from 'vitest'
import { yieldLoop } from './yield-loop.js'

const READERS = 12
const PAGES = 3
const PAGE_MS = 2

test('however many readers there are, a tick continues only a few of them, and each in its turn', async () => {
  let ticks = 0
  const count = (): void => {
    ticks += 1
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  const read: { reader: number; page: number; tick: number }[] = []
  await Promise.all(
    Array.from({ length: READERS }, async (_, reader) => {
      for (let page = 0; page < PAGES; page += 1) {
        await yieldLoop()
        read.push({ reader, page, tick: ticks })
        work()
      }
    }),
  )
  clearImmediate(next)
  const perTick = new Map<number, number>()
  for (const { tick } of read) perTick.set(tick, (perTick.get(tick) ?? 0) + 1)
  expect(Math.max(...perTick.values())).toBeLessThanOrEqual(4)
  // No reader is a page ahead of another one that waits.
  expect(read).toEqual(read.toSorted((a, b) => a.page - b.page))
})

function work(): void {
  for (const end = performance.now() + PAGE_MS; performance.now() < end;);
}
