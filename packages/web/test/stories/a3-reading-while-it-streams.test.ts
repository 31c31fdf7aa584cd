// A3. Reading while it streams: scrolled up.
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP, said, send, status, Story, violationsIn } from './story.js'

test('what somebody reads, selects or opens stays where it is while the answer streams on', async () => {
  await using story = await Story.begin()
  const { page, faults } = await story.openSession(DESKTOP)
  await send(page, 'read README.md')
  await status(page, 'Idle')
  await send(page, 'drip 3000 4')
  await reached(page, 400)
  const log = page.getByRole('log')
  await log.hover()
  await page.mouse.wheel(0, -600)
  await page.getByTestId('jump-latest').waitFor()

  const box = await log.boundingBox()
  await page.mouse.dblclick(box!.x + 460, box!.y + box!.height / 2)
  const selected = await selection(page)
  expect(selected.text).not.toBe('')
  await reached(page, (await lastDrop(page)) + 1_000)
  const still = await selection(page)
  expect(still.text).toBe(selected.text)
  expect(Math.abs(still.top - selected.top)).toBeLessThanOrEqual(1)
  expect(await page.getByTestId('jump-latest').isVisible()).toBe(true)

  await log.hover()
  await page.mouse.wheel(0, -1_000_000)
  const card = page.getByTestId('tool-card').filter({ hasText: 'Read README.md' }).locator('summary')
  await card.waitFor()
  await settled(card)
  const before = await topOf(card)
  await card.click()
  await page.getByTestId('tool-card').getByText('# A shop').waitFor()
  expect(Math.abs((await topOf(card)) - before)).toBeLessThanOrEqual(1)

  await page.getByTestId('jump-latest').click()
  await page.getByTestId('jump-latest').waitFor({ state: 'detached' })
  expect(await farthestFromEnd(page, (await lastDrop(page)) + 200)).toBeLessThanOrEqual(2)
  await send(page, 'echo over')
  await said(page, 'over').waitFor()
  expect(await violationsIn(page)).toEqual([])
  expect(faults).toEqual([])
}, 120_000)

async function reached(page: Page, drop: number): Promise<void> {
  await page.waitForFunction(
    (text) => document.querySelector('.timeline')?.textContent.includes(text),
    `drop ${drop}`,
  )
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

function topOf(element: Locator): Promise<number> {
  return element.evaluate((found) => found.getBoundingClientRect().top)
}

/** Scrolling is over when the element is in the same place for a few frames. */
async function settled(element: Locator): Promise<void> {
  await element.evaluate(async (found) => {
    for (let frames = 0, top = Number.NaN; frames < 5;) {
      await new Promise(requestAnimationFrame)
      const now = found.getBoundingClientRect().top
      frames = now === top ? frames + 1 : 0
      top = now
    }
  })
}

/** How far the reader is from the end, in the worst frame until the drop comes. */
function farthestFromEnd(page: Page, drop: number): Promise<number> {
  return page.evaluate(async (text) => {
    const log = document.querySelector('.timeline')!
    let farthest = 0
    while (!log.textContent.includes(text)) {
      await new Promise(requestAnimationFrame)
      // Measured after what was drawn in this frame has been laid out and followed.
      await new Promise((resolve) => setTimeout(resolve))
      farthest = Math.max(farthest, log.scrollHeight - log.scrollTop - log.clientHeight)
    }
    return farthest
  }, `drop ${drop}`)
}
