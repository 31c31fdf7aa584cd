// The address is the state: a link shows what it was copied from, and the browser's own buttons lead through it.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { HubProcess } from './hub-process.js'
import { PanelStage } from './panel-story.js'
import { openPage, SCREENS } from './test-browser.js'

const WIDE = { viewport: { width: 1440, height: 900 } }

const stage = new PanelStage()
test('a link to a changed file shows its diff; back and forward lead into the panel and out of it', async () => {
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

test.each(['terminals', 'files', 'wire'])(
  '/s/:id/%s opens the session with that panel',
  async (tab) => {
    await using story = await stage.begin(SCREENS.phone)
    const { page } = story
    await page.goto(`${page.url()}/${tab}`)
    const selected = page.getByRole('tab', { selected: true })
    expect((await selected.innerText()).toLowerCase()).toBe(tab)
    await page.getByRole('button', { name: 'Back to the conversation' }).click()
    await selected.waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).not.toContain(tab)
  },
)

test('a link to a message leads to it, and a session is where it was left', async () => {
  await using hub = await HubProcess.start(['shop-api'])
  const { page } = await openPage(hub.origin, SCREENS.desktop)
  await page.goto(hub.address)
  await begin(page, 'echo the first words')
  const session = page.url()
  for (const place of ['second', 'third', 'fourth']) await say(page, `echo ${longText(place)}`)
  const first = page.getByTestId('msg-agent').getByText('the first words')
  await first.waitFor({ state: 'detached' })
  const { items } = await apiGet(
    page,
    `/api${new URL(session).pathname.replace('/s/', '/sessions/')}/timeline`,
  )
  const id = items.find(({ type }) => type === 'text')?.id ?? ''

  await page.goto(`${session}#m-${encodeURIComponent(id)}`)
  await first.waitFor()
  await expect.poll(() => isInSight(page)).toBe(true)

  await page.getByRole('link', { name: 'New session' }).first().click()
  await page.getByRole('heading', { name: 'What should we build?' }).waitFor()
  await page.getByTestId('session-row').click()
  await expect.poll(() => isInSight(page)).toBe(true)
  await page.getByTestId('jump-latest').waitFor()
})

test('a repository has a page with its sessions, and /agents leads to the agents', async () => {
  await using hub = await HubProcess.start(['shop-api', 'web-store'])
  const { page, faults } = await openPage(hub.origin, SCREENS.desktop)
  await page.goto(hub.address)
  await begin(page, 'echo hello')
  await page.getByRole('link', { name: 'shop-api' }).click()
  await page.getByRole('heading', { name: 'shop-api', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Repository: shop-api' }).waitFor()
  const sessions = page.locator('main').getByRole('link', { name: 'echo hello' })
  await sessions.click()
  await page.waitForURL(/\/s\//)

  await page.goto(`${hub.origin}/agents`)
  await page.getByRole('heading', { name: 'Agents' }).waitFor()
  expect(faults).toEqual([])
})

async function begin(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message to the agent' }).fill(text)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForURL(/\/s\/[^/]+$/)
  await page.getByTestId('status-pill').getByText('Idle').waitFor()
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message to the agent' }).fill(text)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByTestId('msg-agent').getByText(text.slice(5, 15)).first().waitFor()
  await page.getByTestId('status-pill').getByText('Idle').waitFor()
}

function longText(place: string): string {
  return Array.from({ length: 40 }, (_, line) => `${place} line ${line}`).join('\n\n')
}

/** Whether the first answer can be read. */
function isInSight(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const rows = [...document.querySelectorAll('[data-testid=msg-agent]')]
    const row = rows.find((one) => one.textContent.includes('the first words'))
    const { top = -1, bottom = -1 } = row?.getBoundingClientRect() ?? {}
    return row !== undefined && top >= 0 && bottom <= innerHeight
  })
}

async function apiGet(
  page: Page,
  path: string,
): Promise<{ items: { id: string; type: string }[] }> {
  const response = await page.request.get(new URL(path, page.url()).href)
  return (await response.json()) as { items: { id: string; type: string }[] }
}
