// A2. Watching work: thoughts, plan, tools, diff, terminal.
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP, LONG, recordTexts, send, status, Story, violationsIn } from './story.js'

const run = promisify(execFile)

test('thoughts, plan, reads, changes and commands are visible live, and can be reviewed', async () => {
  const story = await Story.begin({ QUAYSIDE_DEMO_PACE: '1' })
  const repo = join(story.hub.root, 'shop-api')
  for (const name of ['one.txt', 'two.txt']) await writeFile(join(repo, name), `${name}\n`)
  const { page, faults } = await story.openSession(DESKTOP)

  const thought = page.getByTestId('thought')
  const thoughts = await recordTexts(page, '[data-testid=thought]')
  await send(page, 'work README.md')
  await expect
    .poll(thoughts, LONG)
    .toContainEqual(expect.stringMatching(/Thinking….*First I read/s))
  const dock = page.getByTestId('decision-dock')
  await dock.waitFor()
  await page.locator('.plan-line').getByText('Step 2 of 4').waitFor()
  await page.getByTestId('tool-group').getByText('Read 3 files').waitFor()
  await dock.getByRole('button', { name: 'Allow', exact: false }).first().click()

  await status(page, 'Idle')
  const work = page.getByRole('button', { name: /^Worked for .* · 8 steps$/ })
  await work.waitFor()
  await expect.poll(() => work.getAttribute('aria-expanded')).toBe('false')
  await work.click()
  const edit = page.locator('[data-testid=tool-card][data-kind=edit][data-status=completed]')
  await edit.getByText('+3').first().waitFor()
  await edit.getByText('−1').first().waitFor()
  await edit.locator('.diff-line[data-sign="+"] b', { hasText: 'changed' }).waitFor()
  const command = page.locator('[data-testid=tool-card][data-kind=execute]')
  const printed = command.getByText('All checks passed.', { exact: true })
  await printed.waitFor()
  const colors = await printed.evaluate((element) => [
    getComputedStyle(element).color,
    getComputedStyle(document.body).color,
  ])
  expect(colors[0]).not.toBe(colors[1])
  await command.getByText('exit 0').waitFor()
  await thought.getByText(/^Thought for \d/).waitFor()
  await expect.poll(() => thought.getByText('First I read').count()).toBe(0)

  const end = page.getByTestId('turn-end')
  await expect.poll(() => end.innerText()).toMatch(/3 files read · 1 changed\s*\+3\s*−1/)
  // By keyboard: a mouse press is lost when the list moves under it.
  await end.getByRole('button', { name: 'Review changes' }).press('Enter')
  const changed = page.getByRole('list', { name: 'Changed files' }).getByRole('button')
  await changed.first().waitFor()
  const { stdout } = await run('git', ['-C', repo, 'diff', '--name-only'])
  const names = await changed.locator('.path').allTextContents()
  expect(names.toSorted()).toEqual(stdout.trim().split('\n').toSorted())
  await changed.first().click()
  const lines = page.getByRole('group', { name: 'Changed lines' })
  await lines.getByText('And another').waitFor()
  await expect.poll(() => isInColumns(lines)).toBe(false)
  await page.getByRole('button', { name: 'Side by side' }).click()
  await expect.poll(() => isInColumns(lines), LONG).toBe(true)
  await page.reload()
  await page.getByRole('button', { name: 'Side by side', pressed: true }).waitFor()
  await expect.poll(() => isInColumns(lines), LONG).toBe(true)
  await expect.poll(() => violationsIn(page), LONG).toEqual([])
  expect(faults).toEqual([])
}, 300_000)

/** True when lines are in two columns. */
async function isInColumns(lines: Locator): Promise<boolean> {
  const tops = await lines
    .locator('.line-text')
    .evaluateAll((texts) => texts.map((text) => text.getBoundingClientRect().top))
  return new Set(tops).size < tops.length
}
