// The list of sessions narrowed to a repository and an agent, in a real browser over a real hub.
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP, LONG, Story, violationsIn } from './stories/story.js'

test('sessions of one agent are shown, counted and searched alone, as they come, until the filter is taken away', async () => {
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
  await page.getByText('Nothing matches “walrus”.').waitFor()
  await page.getByRole('searchbox').fill('otter')
  await expectTitles(page, ['echo otter'])
  await page.getByRole('searchbox').fill('')

  await filterButton(page).click()
  await page.getByRole('menuitemradio', { name: 'web-store' }).click()
  await expectTitles(page, ['echo orca'])
  await page.getByRole('button', { name: 'Remove the filter Legacy agent' }).click()
  await expectTitles(page, ['ask', 'echo orca'])
  await page.getByRole('button', { name: 'Archived', exact: true }).click()
  await page.getByText('Nothing is archived.').waitFor()
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await page.getByRole('button', { name: 'Remove the filter web-store' }).press('Enter')
  await expectTitles(page, ['ask', 'echo orca', 'echo otter', 'echo seal', 'echo walrus'])

  // Where the filter was, its menu is next; an agent whose first session began meanwhile is in it.
  await begin(story, { agent: 'fake-shared', repo: 'shop-api', prompt: 'echo whale' })
  await page.getByTestId('session-row').getByText('echo whale').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitemradio', { name: 'Shared agent' }).click()
  await expectTitles(page, ['echo whale'])
  expect(faults).toEqual([])
}, 120_000)

type Wish = { readonly agent: string; readonly repo: string; readonly prompt: string }

async function begin(story: Story, { agent, repo, prompt }: Wish): Promise<void> {
  const { id } = await story.newSession(agent, repo)
  await story.call('POST', `/api/sessions/${id}/prompt`, { text: prompt })
}

/** Opens the menu of a page that still reads its repositories. What is drawn afterwards leaves the menu open. */
async function openWhileLoading(page: Page): Promise<void> {
  let release: () => void = () => undefined
  const isOpen = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/api/repos', async (route) => {
    await isOpen
    await route.continue()
  })
  await page.reload()
  await filterButton(page).click()
  await choicesIn(page, 'Agent').first().waitFor()
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
