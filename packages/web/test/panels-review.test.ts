// Reviewing an agent's work in a real browser: comments on changes, links from paths to files, running commands, and
// the wire.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { LONG_LINES, PanelStage, type PanelStory } from './panel-story.js'
import { SCREENS } from './test-browser.js'

/** A busy machine must not fail a test. */
const LONG = { timeout: 30_000 }
const WIDE = { viewport: { width: 1440, height: 900 } }

const stage = new PanelStage()

test('changes are reviewed by keys and side by side, and marks and choices are kept; a wide panel has two sides and shows open decisions', async () => {
  await using story = await stage.begin(WIDE)
  const { page } = story
  await changeTwoFiles(story)
  await story.openPanel('Changes')
  const lines = page.getByRole('group', { name: 'Changed lines' })
  await lines.getByText('line 20, changed').waitFor()
  // Patches are loaded one by one, and a file without lines cannot be selected.
  await lines.getByText('// The shop sells nothing.').waitFor()
  await page.getByText('0 of 2 viewed').waitFor()

  const wide = page.getByRole('button', { name: 'Expand panel' })
  const sides = page.getByRole('button', { name: 'Side by side', pressed: true })
  await expect.poll(() => sides.count()).toBe(0)
  await wide.click()
  await sides.waitFor()
  await expect.poll(() => page.getByRole('log').isVisible()).toBe(false)
  await story.send('ask')
  await page.getByRole('region', { name: 'Needs your decision' }).waitFor()
  await story.allow()
  await wide.click()
  await page.getByRole('log').getByText('selected allow_once').waitFor()
  await expect.poll(() => sides.count()).toBe(0)

  await lines.focus()
  await page.keyboard.press('n')
  await page.keyboard.press('j')
  await expect.poll(() => selected(page)).toHaveLength(1)
  await page.keyboard.press('Shift+J')
  await expect.poll(() => selected(page)).toHaveLength(2)
  await page.keyboard.press('v')
  await page.getByText('1 of 2 viewed').waitFor()
  await showOmittedAndSides(page, lines)

  await page.reload()
  await page.getByText('1 of 2 viewed').waitFor()
  await sides.waitFor()
  await writeFile(join(story.repo, 'src/prices.ts'), '// Another shop.\n')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByText('0 of 2 viewed').waitFor()

  await page.getByRole('combobox', { name: 'Changes since' }).selectOption('Working tree')
  const files = page.getByRole('list', { name: 'Changed files' })
  await files.getByRole('button', { name: 'tool.bin' }).waitFor()
  expect(story.faults).toEqual([])
})

async function showOmittedAndSides(page: Page, lines: Locator): Promise<void> {
  const all = lines.locator('.line-text')
  await expect.poll(() => lines.getByText('line 2', { exact: true }).count()).toBe(0)
  await page.getByRole('button', { name: 'Show 16 unchanged lines' }).click()
  await lines.getByText('line 2', { exact: true }).waitFor()
  const unified = await all.count()
  await page.getByRole('button', { name: 'Side by side' }).click()
  await expect.poll(() => all.count()).toBeGreaterThan(unified)
  const old = await lines.getByText('line 20', { exact: true }).boundingBox()
  const now = await lines.getByText('line 20, changed').boundingBox()
  expect(now?.y).toBe(old?.y)
}

test('the scope "this turn" has the changes since the latest message, and says when there are none', async () => {
  await using story = await stage.begin(WIDE)
  const { page } = story
  await story.openPanel('Changes')
  const scope = page.getByRole('combobox', { name: 'Changes since' })
  await scope.selectOption('This turn')
  await page.getByText('No turns yet.').waitFor()

  await story.edit('README.md')
  const files = page.getByRole('list', { name: 'Changed files' }).getByRole('button')
  await expect
    .poll(() => files.allInnerTexts(), LONG)
    .toEqual([expect.stringContaining('README.md')])
  await story.edit('long.txt')
  await expect
    .poll(() => files.allInnerTexts(), LONG)
    .toEqual([expect.stringContaining('long.txt')])
  await page.getByRole('group', { name: 'Changed lines' }).getByText('Edited').waitFor()
  await scope.selectOption('This session')
  await expect.poll(() => files.count(), LONG).toBe(2)
  await story.send('echo nothing')
  await scope.selectOption('This turn')
  await page.getByText('No changes in this turn.').waitFor()
  expect(story.faults).toEqual([])
})

// Tall, because the answer is long, and rows outside the viewport are not in the page.
test.each([
  ['desktop', { viewport: { width: 1440, height: 2_400 } }],
  ['phone', { ...SCREENS.phone, viewport: { width: 390, height: 2_400 } }],
])('comments on lines go to the agent as one message, on a %s', async (_name, screen) => {
  await using story = await stage.begin(screen)
  const { page } = story
  await changeTwoFiles(story)
  await story.openPanel('Changes')
  const files = page.getByRole('list', { name: 'Changed files' })
  await files.getByRole('button', { name: 'long.txt' }).click()
  await comment(page, { line: 'line 20, changed', text: 'Why this line?' })
  await comment(page, { line: 'line 21', text: 'And this one?' })
  await story.leavePanel()

  const chips = page.getByRole('list', { name: 'Comments that go with your message' })
  await chips.getByText('long.txt:20').waitFor()
  await page.reload()
  await story.leavePanel()
  await chips.getByText('long.txt:21').waitFor()
  await story.send('echo Thank you.')
  await chips.waitFor({ state: 'detached' })
  const prompt = page.getByTestId('msg-user').last()
  await prompt.getByText('Thank you.').waitFor()
  const said = await prompt.innerText()
  const quoted = 'long.txt:20\n```\nline 20, changed\n```\nWhy this line?'
  expect(said.indexOf(quoted)).toBeGreaterThanOrEqual(0)
  expect(said.indexOf('And this one?')).toBeGreaterThan(said.indexOf('Why this line?'))
  expect(story.faults).toEqual([])
})

test('paths in answers and edits link to the file at its line', async () => {
  await using story = await stage.begin(WIDE)
  const { page } = story
  await story.send('echo Look at `src/prices.ts:7` please')
  await page.getByRole('button', { name: 'src/prices.ts:7', exact: true }).click()
  const content = page.getByRole('group', { name: 'Content of src/prices.ts' })
  await content.locator('.file-line[aria-current]', { hasText: 'function withTax' }).waitFor()

  await page.getByRole('button', { name: 'Close the side panel' }).first().click()
  await story.edit('README.md')
  await page.locator('figcaption').getByRole('button', { name: 'README.md' }).click()
  await page.getByRole('group', { name: 'Content of README.md' }).getByText('Edited').waitFor()
  expect(story.faults).toEqual([])
})

test('a change of few but very long lines is drawn on request; one changed line of a large file is shown at once', async () => {
  await using story = await stage.begin(WIDE)
  const { page } = story
  await writeFile(join(story.repo, 'src/bundle.js'), `${'const a = 1; '.repeat(15_000)}\n`)
  await story.openPanel('Changes')
  const lines = page.getByRole('group', { name: 'Changed lines' })
  await lines.getByText('Large diff (195 kB).').waitFor()
  await expect.poll(() => lines.getByText('const a = 1;').count()).toBe(0)
  await lines.getByRole('button', { name: 'Load' }).click()
  await lines.getByText('const a = 1;').first().waitFor()
  // A screen reader reads a path in one piece.
  const files = page.getByRole('list', { name: 'Changed files' })
  await files.getByRole('button', { name: /src\/bundle\.js/ }).waitFor()

  const large = Array.from({ length: 2_000 }, (_, at) => `line ${at + 1}`)
  await writeFile(join(story.repo, 'large.txt'), `${large.join('\n')}\n`)
  await story.edit('large.txt')
  const figure = page.locator('figure.diff')
  await figure.locator('.diff-line[data-sign="+"]', { hasText: 'Edited' }).waitFor()
  await figure.getByText('1,997 unchanged lines').waitFor()
  expect(story.faults).toEqual([])
})

test('a command of the agent shows its output live, in its card and in the panel', async () => {
  await using story = await stage.begin(WIDE, 'services')
  const { page } = story
  await story.send(`run sh -c "echo before; while [ ! -e go ]; do sleep 0.1; done; echo after"`)
  await story.allow()
  const card = page.getByTestId('terminal-card')
  await card.locator('.output', { hasText: 'before' }).waitFor()
  await card.getByRole('button', { name: 'Open' }).press('Enter')
  await story.printed('before')
  await page.getByText('Running for').waitFor()
  await expect.poll(() => story.screen()).not.toContain('after')

  await writeFile(join(story.repo, 'go'), '')
  await story.printed('after')
  await page.getByText('Exited with code 0 after').waitFor()
  await card.locator('.output', { hasText: 'after' }).waitFor()
  await expect.poll(() => story.screen()).toMatch(/^before\nafter\n/)
  expect(story.faults).toEqual([])
})

test('the wire flags protocol violations, links requests and responses, and links to the conversation', async () => {
  await using story = await stage.begin(WIDE)
  const { page } = story
  await story.edit('README.md')
  await story.send('nulls')
  await page.getByRole('log').getByText('That was nothing.').waitFor()
  await story.openPanel('Wire')
  await page.getByRole('searchbox', { name: 'Filter messages' }).fill('"entries": null')
  await page.getByRole('button', { name: '1 violation' }).click()
  await page.getByText('params.update.entries: is null, not array').waitFor()

  await page.getByRole('searchbox', { name: 'Filter messages' }).fill('')
  await page.getByRole('combobox', { name: 'Method' }).selectOption('session/request_permission')
  await page.getByRole('button', { name: 'answered after' }).click()
  await page.getByRole('button', { name: 'Go to the answer' }).click()
  await page.getByRole('button', { name: 'Go to the request' }).waitFor()
  await page.getByRole('button', { name: 'Show in conversation' }).first().click()
  await page.getByTestId('tool-card').filter({ hasText: 'README.md' }).waitFor()

  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByText('Messages between the hub and the agent appear here.').waitFor()
  expect(story.faults).toEqual([])
})

/** After the session has begun: changes one line of a long file, and all prices. */
async function changeTwoFiles(story: PanelStory): Promise<void> {
  await story.send('echo ready')
  await story.page.getByText('ready', { exact: true }).waitFor()
  const lines = LONG_LINES.with(19, 'line 20, changed')
  await writeFile(join(story.repo, 'long.txt'), `${lines.join('\n')}\n`)
  await writeFile(join(story.repo, 'src/prices.ts'), '// The shop sells nothing.\n')
}

async function selected(page: Page): Promise<string[]> {
  return page.locator('.diff-row[data-selected] .line-text').allInnerTexts()
}

async function comment(page: Page, { line, text }: { line: string; text: string }): Promise<void> {
  const row = page.locator('.diff-row', { has: page.getByText(line, { exact: true }) }).last()
  await row.locator('.line-number').last().click()
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await page.getByRole('textbox', { name: 'Comment on' }).fill(text)
  await page.getByRole('button', { name: 'Add comment' }).click()
  await page.locator('.review-comment', { hasText: text }).waitFor()
  // The keys continue to work.
  await expect.poll(() => page.evaluate(() => document.activeElement?.role)).toBe('group')
}
