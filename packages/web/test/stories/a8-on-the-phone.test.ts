// A8. On the phone: review on the move.
import { expect, test } from 'vitest'
import { LONG, PHONE, send, status, Story, violationsIn } from './story.js'
import { isTooWide } from '../too-wide.js'

test('a phone lists, reads, writes and reviews, and keeps its position', async () => {
  const story = await Story.begin()
  const { id } = await story.newSession('fake', 'shop-api')
  await story.call('PATCH', `/api/sessions/${id}`, { title: 'A session to read' })
  const { page, faults } = await story.open('/', { ...PHONE, serviceWorkers: 'allow' })
  const row = page.getByTestId('session-row')
  await row.getByText('A session to read').waitFor()
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await expect.poll(() => isTooWide(page)).toBe(false)
  }
  await expect.poll(() => violationsIn(page), LONG).toEqual([])
  await row.tap()
  await page.waitForURL(`**/s/${id}`)
  await page.locator('header h1').getByText('A session to read').waitFor()
  await status(page, 'Idle')

  const field = page.getByTestId('composer-input')
  await field.tap()
  await field.pressSequentially('echo one')
  await field.press('Enter')
  await field.pressSequentially('two')
  await expect.poll(() => field.inputValue()).toBe('echo one\ntwo')
  await expect.poll(() => page.getByTestId('msg-user').count()).toBe(0)
  const size = await field.evaluate((element) => getComputedStyle(element).fontSize)
  expect(Number.parseFloat(size)).toBeGreaterThanOrEqual(16)
  const composer = await page.getByTestId('composer').boundingBox()
  const visible = await page.evaluate(() => visualViewport!.height)
  expect(composer!.y + composer!.height).toBeLessThanOrEqual(visible)
  await page.getByTestId('send').tap()
  await page.getByTestId('msg-agent').filter({ hasText: 'one' }).waitFor()

  await send(page, 'edit README.md')
  await page.getByTestId('decision-dock').getByRole('button', { name: 'Allow' }).first().tap()
  await page
    .getByRole('log')
    .getByText(/^Wrote /)
    .waitFor()
  await send(page, 'stream 300')
  await page.getByRole('log').getByText('chunk 300', { exact: false }).waitFor()
  await status(page, 'Idle')
  const log = page.getByRole('log')
  await log.evaluate((scroller) => {
    scroller.dispatchEvent(new Event('touchstart'))
    scroller.scrollTop = scroller.scrollHeight / 3
  })
  await page.getByTestId('jump-latest').waitFor()
  const top = await log.evaluate(stillTop)
  await page.getByRole('button', { name: 'Open the side panel' }).tap()
  const sheet = page.getByRole('dialog', { name: 'Session panels' })
  await sheet.getByRole('list', { name: 'Changed files' }).getByRole('button').tap()
  const diff = sheet.getByRole('group', { name: 'Changed lines' })
  await diff.getByText('Edited by the Quayside').waitFor()
  const { width, height } = (await sheet.boundingBox())!
  expect([width, height]).toEqual([390, 844])
  await expect.poll(() => isTooWide(page)).toBe(false)
  await expect.poll(() => violationsIn(page), LONG).toEqual([])
  await page.getByRole('button', { name: 'Back to the conversation' }).tap()
  await sheet.waitFor({ state: 'detached' })
  expect(await log.evaluate(stillTop)).toBe(top)

  const manifest = await page.locator('link[rel=manifest]').getAttribute('href')
  const answer = await page.request.get(`${story.hub.origin}${manifest}`)
  expect(await answer.json()).toMatchObject({ display: 'standalone', start_url: '/' })
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  const { page: direct, faults: directFaults } = await story.open(`/s/${id}`, PHONE)
  await direct.getByText('chunk 300', { exact: false }).waitFor()
  await expect.poll(() => violationsIn(page, direct), LONG).toEqual([])
  expect([...faults, ...directFaults]).toEqual([])
}, 300_000)

/** Runs in the page: the scroll position, once rows with new sizes no longer change it. */
async function stillTop(scroller: Element): Promise<number> {
  let top = scroller.scrollTop
  for (let frame = 0, still = 0; frame < 600 && still < 5; frame += 1) {
    await new Promise(requestAnimationFrame)
    still = scroller.scrollTop === top ? still + 1 : 0
    top = scroller.scrollTop
  }
  return top
}
