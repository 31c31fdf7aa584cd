// The address is the state: a link restores what it was copied from, and the browser's buttons work.
import { basename } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { PanelStage } from './panel-story.js'
import { goTo } from './reused-pages.js'
import { ScriptedStage } from './scripted-stage.js'
import { SCREENS } from './test-browser.js'

const WIDE = { viewport: { width: 1440, height: 900 } }

const stage = new PanelStage()
const scripted = new ScriptedStage()
test('a link to a changed file shows its diff; back and forward open and close the panel', async () => {
  await using story = await stage.begin(WIDE)
  const { page } = story
  await story.edit('src/prices.ts')
  const session = page.url()
  const counts = page.getByRole('button', { name: /1 file changed: 1 lines? added/ })
  await counts.click()
  await page.waitForURL(`${session}/changes`)
  await page.getByRole('list', { name: 'Changed files' }).getByRole('button').click()
  await page.waitForURL((url) => url.search === '?file=src%2Fprices.ts')
  const chosen = { name: /prices\.ts/, pressed: true }
  await page.getByRole('button', chosen).waitFor()

  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.getByRole('button', chosen).waitFor()
  await other.getByRole('button', { name: 'Close the side panel' }).first().click()
  await other.waitForURL(session)

  await page.goBack()
  await page.getByRole('button', chosen).waitFor({ state: 'detached' })
  await page.getByRole('list', { name: 'Changed files' }).waitFor()
  await page.goBack()
  await page.waitForURL(session)
  await page.getByRole('tab').first().waitFor({ state: 'detached' })
  await page.goForward()
  await page.getByRole('list', { name: 'Changed files' }).waitFor()
  expect(story.faults).toEqual([])
})

test('/s/:id/terminals, files and wire open the session with that panel', async () => {
  await using story = await stage.begin(SCREENS.phone)
  const { page } = story
  const session = page.url()
  await page.goto(`${session}/preview`)
  await page.getByRole('tab', { name: 'Preview', selected: true }).waitFor()
  for (const tab of ['terminals', 'files', 'wire']) {
    await goTo(page, `${session}/${tab}`)
    const selected = page.getByRole('tab', { selected: true })
    expect((await selected.innerText()).toLowerCase()).toBe(tab)
    await page.getByRole('button', { name: 'Back to the conversation' }).click()
    await selected.waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).not.toContain(tab)
  }
})

test('a link to a message scrolls to it, and a session keeps its position', async () => {
  const { page, session } = await scripted.open()
  for (const text of ['echo the first words', 'drip 60', 'drip 70', 'drip 80'])
    session.prompt([{ type: 'text', text }], `turn ${text}`)
  await page.getByTestId('msg-agent').getByText('drop 80').waitFor()
  const first = page.getByTestId('msg-agent').getByText('the first words')
  await first.waitFor({ state: 'detached' })
  const { id = '' } = session.timeline().items.find(({ type }) => type === 'text') ?? {}

  await page.goto(`${page.url()}#m-${encodeURIComponent(id)}`)
  await first.waitFor()
  await expect.poll(() => isInSight(page)).toBe(true)

  await page.getByRole('link', { name: 'New session' }).first().click()
  await page.getByRole('heading', { name: 'What should we build?' }).waitFor()
  await page.getByTestId('session-row').click()
  await expect.poll(() => isInSight(page)).toBe(true)
  await page.getByTestId('jump-latest').waitFor()
})

test('a repository has a page with its sessions, and /agents shows the agents', async () => {
  await using story = await stage.begin(SCREENS.desktop)
  const { page } = story
  await story.send('echo hello')
  await page.locator('header').getByText('Idle').waitFor()
  const repo = basename(story.repo)
  await page.getByRole('link', { name: repo }).click()
  await page.getByRole('heading', { name: repo, level: 1 }).waitFor()
  await page.getByRole('button', { name: `Repository: ${repo}` }).waitFor()
  const sessions = page.locator('main').getByRole('link', { name: 'echo hello' })
  await sessions.click()
  await page.waitForURL(/\/s\//)

  const session = page.url()
  await goTo(page, '/agents')
  await page.getByRole('heading', { name: 'Agents' }).waitFor()
  await goTo(page, session)
  expect(story.faults).toEqual([])
})

/** True when the first answer is visible. */
function isInSight(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const rows = [...document.querySelectorAll('[data-testid=msg-agent]')]
    const row = rows.find((one) => one.textContent.includes('the first words'))
    const { top = -1, bottom = -1 } = row?.getBoundingClientRect() ?? {}
    return row !== undefined && top >= 0 && bottom <= innerHeight
  })
}
