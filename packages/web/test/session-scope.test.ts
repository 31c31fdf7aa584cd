// The session list filtered by repository and agent, in a real browser with a real hub.
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP, LONG, Story, violationsIn } from './stories/story.js'

test('the list, counts and search follow the filter by agent, live, until it is removed', async () => {
  const story = await Story.begin()
  await begin(story, { agent: 'fake', repo: 'web-store', prompt: 'ask' })
  await begin(story, { agent: 'fake', repo: 'shop-api', prompt: 'echo walrus' })
  await begin(story, { agent: 'fake-legacy', repo: 'shop-api', prompt: 'echo otter' })
  const { page, faults } = await story.open('/', DESKTOP)
  await page.getByRole('button', { name: 'Needs you 1' }).waitFor()
  await openWhileLoading(page)
  const agents = choicesIn(page, 'Agent')
  await expect
    .poll(() => agents.allInnerTexts(), LONG)
    .toEqual(['All agents', 'Fake agent', 'Legacy agent'])
  await expect.poll(() => violationsIn(page), LONG).toEqual([])

  await page.getByRole('menuitemradio', { name: 'Legacy agent' }).click()
  await expectTitles(page, ['echo otter'])
  await page.getByRole('button', { name: /^Filter by .*: Legacy agent$/ }).waitFor()
  await page.getByRole('button', { name: 'Needs you', exact: true }).waitFor()
  await expect.poll(() => violationsIn(page), LONG).toEqual([])
  await begin(story, { agent: 'fake', repo: 'shop-api', prompt: 'echo seal' })
  await begin(story, { agent: 'fake-legacy', repo: 'web-store', prompt: 'echo orca' })
  await expectTitles(page, ['echo orca', 'echo otter'])

  await page.getByRole('searchbox').fill('walrus')
  await page.getByText('No matches for “walrus”.').waitFor()
  await page.getByRole('searchbox').fill('otter')
  await expectTitles(page, ['echo otter'])
  await page.getByRole('searchbox').fill('')

  await filterButton(page).click()
  await page.getByRole('menuitemradio', { name: 'web-store' }).click()
  await expectTitles(page, ['echo orca'])
  await page.getByRole('button', { name: 'Remove filter Legacy agent' }).click()
  await expectTitles(page, ['ask', 'echo orca'])
  await page.getByRole('button', { name: 'Archived', exact: true }).click()
  await page.getByText('No archived sessions.').waitFor()
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await page.getByRole('button', { name: 'Remove filter web-store' }).press('Enter')
  await expectTitles(page, ['ask', 'echo orca', 'echo otter', 'echo seal', 'echo walrus'])

  // The focus moves to the filter menu, which includes an agent whose first session has just started.
  await begin(story, { agent: 'fake-shared', repo: 'shop-api', prompt: 'echo whale' })
  await page.getByTestId('session-row').getByText('echo whale').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitemradio', { name: 'Shared agent' }).click()
  await expectTitles(page, ['echo whale'])

  // A field that is drawn late takes the focus neither from a search nor from a row that was chosen by key.
  await whileLoading(page, () => page.getByRole('searchbox').focus())
  await page.keyboard.type('whale')
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('whale')
  const row = page.getByTestId('session-row').first()
  await whileLoading(page, () => row.focus())
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'Session name' }).waitFor()
  expect(faults).toEqual([])
}, 120_000)

type StartInput = { readonly agent: string; readonly repo: string; readonly prompt: string }

async function begin(story: Story, { agent, repo, prompt }: StartInput): Promise<void> {
  const { id } = await story.newSession(agent, repo)
  await story.call('POST', `/api/sessions/${id}/prompt`, { text: prompt })
}

/** Opens the menu of a page that still reads its repositories. What is drawn afterwards leaves the menu open. */
async function openWhileLoading(page: Page): Promise<void> {
  await whileLoading(page, async () => {
    await filterButton(page).click()
    await choicesIn(page, 'Agent').first().waitFor()
  })
}

/** The message field of a page that still reads its repositories is drawn afterwards. */
async function whileLoading(page: Page, act: () => Promise<void>): Promise<void> {
  let release: () => void = () => undefined
  const isOpen = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/api/repos', async (route) => {
    await isOpen
    await route.continue()
  })
  await page.reload()
  await act()
  release()
  await page.getByTestId('composer-input').waitFor()
}

function filterButton(page: Page): Locator {
  return page.getByRole('button', { name: /^Filter by/ })
}

function choicesIn(page: Page, group: string): Locator {
  return page.getByRole('group', { name: group }).getByRole('menuitemradio')
}

async function expectTitles(page: Page, titles: readonly string[]): Promise<void> {
  const shown = page.getByTestId('session-row').locator('.session-title')
  await expect.poll(async () => (await shown.allInnerTexts()).toSorted(), LONG).toEqual(titles)
}
