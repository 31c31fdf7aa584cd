// Outputs that are longer than the page shows are saved as a file, in a real browser with a real hub.
import { readFile } from 'node:fs/promises'
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { violationsOf } from './accessible.js'
import { PanelStage, type PanelStory } from './panel-story.js'

const WIDE = { viewport: { width: 1440, height: 900 } }
/** More than an event holds, and less than an agent's command may print. */
const LINES = 60_000
const ALL = Array.from({ length: LINES }, (_, at) => `${at + 1}\n`).join('')

const stage = new PanelStage()

test('the end of a long output is in its card, all of it in its file and in the panel', async () => {
  await using story = await stage.begin(WIDE, 'services')
  const { page } = story
  await run(story, `run seq 1 ${LINES}`)
  const card = page.getByTestId('terminal-card')
  await card.getByText('Only the end of this output is shown.').waitFor()
  await expect.poll(() => card.locator('.output').innerText()).toMatch(/\n59999\n60000\s*$/)
  expect(await violationsOf(page)).toEqual([])
  expect(await saved(story, card.getByRole('link', { name: 'Download all (349 kB)' }))).toBe(ALL)

  await page.reload()
  // By key: the list moves until its rows are measured, and a click would miss the button.
  await card.getByRole('button', { name: 'Open' }).press('Enter')
  await story.printed('60000')
  const download = page.getByRole('link', { name: 'Download', exact: true })
  await download.waitFor()
  expect(await saved(story, download)).toBe(ALL)
  expect(story.faults).toEqual([])
})

test('the card and the panel say that the hub dropped output, and the rest can be saved', async () => {
  await using story = await stage.begin(WIDE, 'services')
  const { page } = story
  await run(story, 'run seq 1 200000')
  const card = page.getByTestId('terminal-card')
  await card.getByText('Earlier output wasn’t kept.').waitFor()
  const link = card.getByRole('link', { name: /^Download the rest \(1\.?0? MB\)$/ })
  const rest = await saved(story, link)
  expect(rest.length).toBe(1024 * 1024)
  expect(rest).toMatch(/\n199999\n200000\n$/)

  await card.getByRole('button', { name: 'Open' }).press('Enter')
  await story.printed('200000')
  const panel = page.getByRole('tabpanel', { name: 'seq 1 200000' })
  await panel.getByText('Earlier output wasn’t kept.').waitFor()
  expect(story.faults).toEqual([])
})

test('the end of an output that an agent reports is shown, earlier output on request, and all of it is saved', async () => {
  await using story = await stage.begin(WIDE)
  await run(story, `run seq 1 ${LINES}`)
  const card = story.page.getByTestId('tool-card')
  await card.getByText('Only the end of this output is shown.').waitFor()
  const output = card.locator('.output')
  await expect.poll(() => output.innerText()).toMatch(/^(?!.*cut here)[^]*\n59999\n60000\s*$/)
  const text = await saved(story, card.getByRole('link', { name: /^Download all/ }))
  expect(text).toBe(`\`\`\`\n${ALL}\`\`\``)
  await card.getByRole('button', { name: 'Show earlier output' }).press('Enter')
  // As much as the page shows.
  await expect.poll(() => output.innerText()).toMatch(/\n20000\n[^]*\n60000\n/)
  await card.getByText('Only the end of this output is shown.').waitFor()
  await expect.poll(() => card.getByRole('button', { name: /earlier/ }).count()).toBe(0)
  expect(story.faults).toEqual([])
})

async function run(story: PanelStory, prompt: string): Promise<void> {
  await story.send(prompt)
  await story.allow()
  await story.page.locator('header').getByText('Idle').waitFor()
}

async function saved({ page }: PanelStory, link: Locator): Promise<string> {
  // By keyboard: a mouse press is lost when the list moves under it.
  const [download] = await Promise.all([page.waitForEvent('download'), link.press('Enter')])
  return readFile(await download.path(), 'utf8')
}
