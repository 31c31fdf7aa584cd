// Forks in a real browser: from the end of a turn, from the palette, and by editing a message that was sent.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SessionSummary } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { violationsInBothSchemes } from './accessible.js'
import { LONG_LINES, PanelStage, type PanelStory } from './panel-story.js'
import { SCREENS } from './test-browser.js'
import { isTooWide } from './too-wide.js'

const BEFORE = `${LONG_LINES.join('\n')}\n`

const stage = new PanelStage()

/** The fork that the page makes and shows then. */
async function openedBy({ page }: PanelStory, act: () => Promise<unknown>) {
  const response = page.waitForResponse((answer) => answer.url().endsWith('/fork'))
  await act()
  const summary = (await (await response).json()) as SessionSummary
  await page.waitForURL((url) => url.pathname.includes(summary.id))
  return summary
}

test.each([
  ['desktop', SCREENS.desktop],
  ['phone', SCREENS.phone],
])(
  'on a %s a turn is forked, and the fork has its files and names the other session',
  async (_name, screen) => {
    await using story = await stage.begin(screen)
    const { page } = story
    await story.edit('long.txt')
    await story.edit('README.md')
    const fork = page.getByRole('button', { name: 'Fork from here' }).first()
    const { workspace, forkedFrom } = await openedBy(story, () => fork.press('Enter'))
    await page.getByText('The session was forked here.').waitFor()
    // Its files are those of the other session.
    await expect.poll(() => page.getByRole('button', { name: 'Undo this turn' }).count()).toBe(0)
    await expect.poll(() => page.getByTestId('msg-user').allInnerTexts()).toEqual(['edit long.txt'])
    const file = (name: string) => readFile(join(workspace?.path ?? '', name), 'utf8')
    expect(await file('long.txt')).not.toBe(BEFORE)
    expect(await file('README.md')).not.toContain('quayside')

    await page.getByRole('button', { name: 'Show the text' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'What the agent gets' })
    await dialog.getByText('User: edit long.txt').waitFor()
    expect(await violationsInBothSchemes(page, { within: 'dialog' })).toEqual([])
    await page.keyboard.press('Escape')
    expect(await isTooWide(page)).toBe(false)
    await page.getByRole('link', { name: 'Open the other session' }).click()
    await page.waitForURL((url) => url.pathname.includes(forkedFrom?.sessionId ?? '?'))
    expect(story.faults).toEqual([])
  },
)

test('a message is edited and sent again in a fork with the files from before it', async () => {
  await using story = await stage.begin(SCREENS.desktop)
  const { page } = story
  await story.edit('long.txt')
  await story.send('echo first try')
  await page.getByText('first try', { exact: true }).first().waitFor()
  const prompt = page.getByTestId('msg-user').filter({ hasText: 'edit long.txt' })
  await prompt.hover()
  await prompt.getByRole('button', { name: 'Edit and resend' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Edit and resend' })
  await dialog.waitFor()
  expect(await violationsInBothSchemes(page, { within: 'dialog' })).toEqual([])
  await dialog.getByRole('textbox', { name: 'Message' }).fill('echo second try')
  const send = dialog.getByRole('button', { name: 'Send in a fork' })
  const { workspace } = await openedBy(story, () => send.click())
  await expect.poll(() => page.getByTestId('msg-user').allInnerTexts()).toEqual(['echo second try'])
  expect(await readFile(join(workspace?.path ?? '', 'long.txt'), 'utf8')).toBe(BEFORE)
  expect(await readFile(join(story.repo, 'long.txt'), 'utf8')).not.toBe(BEFORE)
  expect(story.faults).toEqual([])
})

test('the palette forks the whole session', async () => {
  await using story = await stage.begin(SCREENS.desktop)
  const { page } = story
  await story.send('echo kept')
  await page.getByTestId('turn-end').waitFor()
  await page.keyboard.press('Control+k')
  await openedBy(story, () => page.getByRole('option', { name: 'Fork this session' }).click())
  await expect.poll(() => page.getByTestId('msg-user').allInnerTexts()).toEqual(['echo kept'])
  expect(story.faults).toEqual([])
})
