// A3. Reading while it streams: scrolled up.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { settledTop } from '../settled-top.js'
import { DESKTOP, LONG, send, status, Story, violationsIn } from './story.js'

test('the text that is read, selected or opened does not move while the answer streams', async () => {
  const story = await Story.begin()
  const { page, faults } = await story.openSession(DESKTOP)
  await send(page, 'read README.md')
  await status(page, 'Idle')
  await send(page, 'drip 100000 10')
  await reached(page, 200)
  const log = page.getByRole('log')
  await log.hover()
  await page.mouse.wheel(0, -600)
  await page.getByTestId('jump-latest').waitFor()

  const { x, y } = await page.evaluate(middleLine)
  await page.mouse.dblclick(x, y)
  const selected = await selection(page)
  expect(selected.text).not.toBe('')
  await reached(page, (await lastDrop(page)) + 100)
  const still = await selection(page)
  expect(still.text).toBe(selected.text)
  expect(Math.abs(still.top - selected.top)).toBeLessThanOrEqual(1)
  await expect.poll(() => page.getByTestId('jump-latest').isVisible()).toBe(true)

  await log.hover()
  await page.mouse.wheel(0, -1_000_000)
  const card = page
    .getByTestId('tool-card')
    .filter({ hasText: 'Read README.md' })
    .locator('summary')
  await card.waitFor()
  const before = await settledTop(card)
  await card.click()
  await page.getByTestId('tool-card').getByText('# A shop').waitFor()
  expect(Math.abs((await settledTop(card)) - before)).toBeLessThanOrEqual(1)

  await page.getByTestId('jump-latest').click()
  await page.getByTestId('jump-latest').waitFor({ state: 'detached' })
  const last = await lastDrop(page)
  expect(await farthestFromEnd(page)).toBeLessThanOrEqual(2)
  await expect.poll(() => lastDrop(page)).toBeGreaterThan(last)
  await page.getByTestId('stop').click()
  await page.getByTestId('turn-end').getByText('You stopped this').waitFor()
  expect(await violationsIn(page)).toEqual([])
  expect(faults).toEqual([])
}, 300_000)

/** Runs in the page: the beginning of a line in the middle of the screen. */
function middleLine(): { x: number; y: number } {
  const lines = document.createTreeWalker(
    document.querySelector('.timeline')!,
    NodeFilter.SHOW_TEXT,
  )
  const range = document.createRange()
  while (lines.nextNode()) {
    range.selectNodeContents(lines.currentNode)
    const { left, top, height } = range.getBoundingClientRect()
    if (top > innerHeight / 2 && height > 0) return { x: left + 12, y: top + height / 2 }
  }
  throw new Error('There is no line below the middle of the screen.')
}

async function reached(page: Page, drop: number): Promise<void> {
  await expect.poll(() => lastDrop(page), LONG).toBeGreaterThanOrEqual(drop)
}

function lastDrop(page: Page): Promise<number> {
  return page.evaluate(() => {
    const drops = document.querySelector('.timeline')?.textContent.match(/drop \d+/g) ?? []
    return Number(drops.at(-1)?.slice(5))
  })
}

function selection(page: Page): Promise<{ text: string; top: number }> {
  return page.evaluate(() => {
    const selection = document.getSelection()
    if (!selection || selection.rangeCount === 0) return { text: '', top: 0 }
    const { top } = selection.getRangeAt(0).getBoundingClientRect()
    return { text: selection.toString().trim(), top }
  })
}

/** The largest distance from the end in the next painted frames in which the text grew. */
function farthestFromEnd(page: Page): Promise<number> {
  return page.evaluate(
    (wanted) =>
      new Promise<number>((resolve, reject) => {
        const log = document.querySelector('.timeline')!
        let farthest = 0
        let frames = 0
        // Runs after the page's own observers, and before the frame is painted.
        const sizes = new ResizeObserver(() => {
          frames += 1
          farthest = Math.max(farthest, log.scrollHeight - log.scrollTop - log.clientHeight)
          if (frames < wanted) return
          clearTimeout(deadline)
          sizes.disconnect()
          resolve(farthest)
        })
        const deadline = setTimeout(() => reject(new Error(`${frames} frames grew`)), 60_000)
        sizes.observe(log.firstElementChild!)
      }),
    30,
  )
}
