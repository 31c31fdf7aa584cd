// A5. Busy: queue, edit, steer, stop.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP, LONG, recordTexts, said, send, status, Story, violationsIn } from './story.js'

test('messages during a turn are queued, can be edited, and are sent once and in order', async () => {
  const story = await Story.begin()
  const { page, faults, id } = await story.openSession(DESKTOP)
  const queue = page.getByTestId('queue')
  await send(page, 'run sleep 600')
  await page.getByTestId('decision-dock').getByRole('button', { name: 'Allow' }).first().click()
  await page.locator('[data-testid=tool-card][data-status=in_progress]').waitFor()

  await write(page, 'then echo two', 'Enter')
  await queue.getByText('1 queued').waitFor()
  await queue.getByRole('button', { name: 'Edit' }).click()
  await queue.getByRole('textbox').fill('echo three')
  await queue.getByRole('button', { name: 'Save' }).click()
  await queue.getByText('echo three', { exact: true }).waitFor()
  await write(page, 'echo four', 'Enter')
  await queue.getByText('2 queued').waitFor()
  await page.reload()
  await queue.getByText('2 queued').waitFor()
  await expect
    .poll(() => queue.locator('.queue-text').allInnerTexts())
    .toEqual(['echo three', 'echo four'])

  const hints = await recordTexts(page, '.composer-hint')
  await page.keyboard.press('Escape')
  await expect.poll(hints, LONG).toContain('Press Esc again to stop')
  await page.getByText('Press Esc again to stop').waitFor({ state: 'detached' })
  await status(page, 'Working')
  // The second press stops; a late one counts as a first one again.
  const escape = () => page.keyboard.press('Escape').then(hints)
  await expect.poll(escape, LONG).toContain('Stopping…')
  await page.getByTestId('turn-end').getByText('You stopped this').waitFor()
  await page.locator('[data-testid=tool-card][data-status=cancelled]').waitFor()
  await queue.getByText('Queue paused. 2 messages are waiting.').waitFor()
  await status(page, 'Idle')
  await expect.poll(() => violationsIn(page), LONG).toEqual([])

  await queue.getByRole('button', { name: 'Send next' }).click()
  await said(page, 'three').waitFor()
  await said(page, 'four').waitFor()
  await status(page, 'Idle')
  await expect.poll(() => prompts()).toEqual(['run sleep 600', 'echo three', 'echo four'])

  await send(page, 'slow 600')
  await expect.poll(prompts).toContain('slow 600')
  await status(page, 'Working')
  await write(page, 'echo six', 'Enter')
  await queue.getByText('1 queued').waitFor()
  await write(page, 'echo five', 'Control+Enter')
  await said(page, 'five').waitFor()
  await said(page, 'six').waitFor()
  await status(page, 'Idle')
  await expect
    .poll(() => page.getByTestId('turn-end').getByText('You stopped this').count())
    .toBe(2)
  expect((await prompts()).slice(3)).toEqual(['slow 600', 'echo five', 'echo six'])
  await expect.poll(() => page.getByText('done after 600 s').count()).toBe(0)
  expect(await violationsIn(page)).toEqual([])
  expect(faults).toEqual([])

  /** The prompts that the agent received, from the wire. */
  async function prompts(): Promise<(string | undefined)[]> {
    const wire = `/api/sessions/${id}/wire?limit=200`
    const { frames } = await story.call<{ frames: { direction: string; frame: Prompt }[] }>(
      'GET',
      wire,
    )
    return frames.flatMap(({ direction, frame }) =>
      direction === 'out' && frame.method === 'session/prompt'
        ? [frame.params.prompt[0]?.text]
        : [],
    )
  }
}, 300_000)

type Prompt = {
  readonly method?: string
  readonly params: { readonly prompt: readonly { readonly text: string }[] }
}

async function write(page: Page, text: string, key: string): Promise<void> {
  await page.getByTestId('composer-input').fill(text)
  await page.getByTestId('composer-input').press(key)
}
