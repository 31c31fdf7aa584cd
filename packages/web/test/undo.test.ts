// Undo and redo of a turn in a real browser: the diff comes first, the files follow on disk, and a person's own edit is not overwritten.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { violationsInBothSchemes } from './accessible.js'
import { LONG_LINES, PanelStage, type PanelStory } from './panel-story.js'
import { SCREENS } from './test-browser.js'

const BEFORE = `${LONG_LINES.join('\n')}\n`

const stage = new PanelStage()

function fileOf({ repo }: PanelStory): Promise<string> {
  return readFile(join(repo, 'long.txt'), 'utf8')
}

test.each([
  ['desktop', SCREENS.desktop],
  ['phone', SCREENS.phone],
])('on a %s the first of two turns is undone and redone', async (_name, screen) => {
  await using story = await stage.begin(screen)
  const { page } = story
  await story.edit('long.txt')
  await story.edit('README.md')
  const edited = await fileOf(story)

  await page.getByRole('button', { name: 'Undo this turn' }).first().press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Undo this turn' })
  await dialog.getByText('Edited').waitFor()
  await expect.poll(() => dialog.getByText('README.md').count()).toBe(0)
  expect(await violationsInBothSchemes(page, { within: 'dialog' })).toEqual([])
  await expect.poll(() => fileOf(story)).toBe(edited)

  await dialog.getByRole('button', { name: 'Undo', exact: true }).press('Enter')
  await page.getByRole('status').getByText('Undone: 1 file is as before that turn.').waitFor()
  // The end of the conversation is out of view on a phone, because the first turn is in view.
  await page.getByRole('log').evaluate((log) => log.scrollTo(0, log.scrollHeight))
  const notice = page.getByTestId('turn-restored')
  await notice.getByText('Undone “edit long.txt”: 1 file is as before that turn.').waitFor()
  await expect.poll(() => fileOf(story)).toBe(BEFORE)
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => page.getByRole('button', { name: 'Undo this turn' }).count()).toBe(1)
  expect(await violationsInBothSchemes(page, { within: '[role=log]', isOnlyWcag: true })).toEqual(
    [],
  )

  const redo = notice.getByRole('button', { name: 'Redo' })
  await redo.press('Enter')
  await notice.getByText('Redone “edit long.txt”').waitFor()
  await redo.waitFor({ state: 'detached' })
  await expect.poll(() => fileOf(story)).toBe(edited)
  expect(story.faults).toEqual([])
})

test('a person who has edited a file of the turn chooses, and a running turn keeps it from being undone', async () => {
  await using story = await stage.begin(SCREENS.desktop)
  const { page } = story
  await story.edit('long.txt')
  await story.edit('README.md')
  await writeFile(join(story.repo, 'long.txt'), 'by a person\n')
  const undo = page.getByRole('button', { name: 'Undo this turn' }).first()
  const dialog = page.getByRole('dialog', { name: 'Undo this turn' })

  await undo.press('Enter')
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
  await dialog.getByRole('group', { name: 'Changed since' }).getByText('long.txt').waitFor()
  expect(await violationsInBothSchemes(page, { within: 'dialog' })).toEqual([])
  const others = dialog.getByRole('button', { name: 'Restore the other files' })
  await expect.poll(() => others.evaluate((button) => button === document.activeElement)).toBe(true)
  await others.click()
  await page.getByText('The files are already as before this turn.').waitFor()
  await expect.poll(() => fileOf(story)).toBe('by a person\n')

  await undo.press('Enter')
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
  await dialog.getByRole('button', { name: 'Restore all' }).click()
  await page.getByTestId('turn-restored').waitFor()
  await expect.poll(() => fileOf(story)).toBe(BEFORE)

  await story.send('slow 60')
  const isDisabled = () => Promise.all([undo.isDisabled(), page.getByTestId('redo').isDisabled()])
  await expect.poll(isDisabled).toEqual([true, true])
  // The refused undo is an answer of the hub, which the browser reports.
  expect(story.faults.filter((fault) => !fault.includes('409'))).toEqual([])
})
