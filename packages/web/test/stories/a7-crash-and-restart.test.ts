// A7. Crash and restart: go on anyway.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { goTo } from '../reused-pages.js'
import { DESKTOP, LONG, said, send, status, Story, violationsIn } from './story.js'

/** Rows outside the viewport are not in the page. */
const TALL = { viewport: { width: 1440, height: 2_000 } }

test('a session goes on after its agent crashed and after the hub was restarted', async () => {
  const story = await Story.begin()
  const { page, id } = await story.openSession(TALL)
  await send(page, 'echo before')
  await said(page, 'before').waitFor()
  await send(page, 'crash tool')
  await status(page, 'Stopped unexpectedly')
  await page.locator('.banner').getByText('Fake agent stopped unexpectedly.').waitFor()
  await page.getByRole('log').getByRole('alert').getByText('exit code 7').waitFor()
  await page.locator('[data-testid=tool-card][data-status=interrupted]').waitFor()
  await expect.poll(() => spinners(page)).toBe(0)
  await expect.poll(() => violationsIn(page), LONG).toEqual([])
  await page.getByRole('button', { name: 'Restart agent' }).click()
  await status(page, 'Idle')
  await send(page, 'echo again')
  await said(page, 'again').waitFor()
  await expect.poll(() => prompts(page)).toEqual(['echo before', 'crash tool', 'echo again'])

  await story.hub.restart()
  await status(page, 'Asleep')
  await page.locator('.banner').getByText('It wakes when you write.').waitFor()
  await page.getByTestId('session-row').first().waitFor()
  // The list is read again after the connection is back.
  const working = page.getByTestId('session-row').getByText('Working')
  await expect.poll(() => working.count(), LONG).toBe(0)
  await send(page, 'recall')
  await page.getByTestId('msg-agent').filter({ hasText: 'echo again' }).waitFor()
  await expect
    .poll(() => prompts(page))
    .toEqual(['echo before', 'crash tool', 'echo again', 'recall'])
  await expect.poll(() => said(page, 'again').count()).toBe(1)
  const started = (await story.events(id)).flatMap(({ type, data }) =>
    type === 'agent.started' ? [data.how] : [],
  )
  expect(started).toEqual(['new', 'load', 'load'])
  await expect.poll(() => violationsIn(page), LONG).toEqual([])
  await beginAnew(story)
}, 300_000)

test('a killed hub is reported once, and blamed on nothing else; a session in which nothing ran is asleep', async () => {
  const story = await Story.begin()
  const { page, id } = await story.openSession(TALL)
  await send(page, 'echo before')
  await said(page, 'before').waitFor()
  await status(page, 'Idle')
  const { id: working } = await story.newSession('fake', 'shop-api')
  await goTo(page, `/s/${working}`)
  await send(page, 'drip 10000 20')
  await page.getByRole('log').getByText('drop 1').first().waitFor()
  await story.hub.restart('SIGKILL')
  await status(page, 'Stopped unexpectedly')
  await page.locator('.banner').getByText('The hub stopped unexpectedly, and Fake agent').waitFor()
  await page.getByRole('alert').getByText('The hub stopped before the agent had finished').waitFor()
  const notes = page.getByRole('log').getByText(/The hub stopped/)
  await expect.poll(() => notes.count()).toBe(1)
  await send(page, 'echo again')
  await said(page, 'again').waitFor()

  await goTo(page, `/s/${id}`)
  await status(page, 'Asleep')
  await page.locator('.banner').getByText('It wakes when you write.').waitFor()
  await send(page, 'echo once more')
  await said(page, 'once more').waitFor()
}, 120_000)

/** An agent that has lost its memory says so, and a new session can start with the conversation. */
async function beginAnew(story: Story): Promise<void> {
  const { page, faults } = await story.openSession(DESKTOP, { agent: 'fake-legacy' })
  await send(page, 'echo the tests are in test/')
  await said(page, 'the tests are in test/').waitFor()
  await send(page, 'crash')
  await status(page, 'Stopped unexpectedly')
  await page.getByRole('button', { name: 'Restart agent' }).click()
  const notice = page.getByText('has no memory of the session')
  await notice.waitFor()
  await status(page, 'Idle')
  await expect.poll(() => violationsIn(page), LONG).toEqual([])
  await page.getByRole('button', { name: 'Continue in a new session' }).click()

  await page.waitForURL('**/new?*')
  await page.getByRole('button', { name: 'Repository: shop-api' }).waitFor()
  await page.getByRole('button', { name: 'Agent: Legacy agent' }).waitFor()
  const draft = await page.getByTestId('composer-input').inputValue()
  expect(draft).toContain('I said: echo the tests are in test/')
  expect(draft).toContain('You answered: the tests are in test/')
  await page.getByTestId('send').click()
  await page.waitForURL(/\/s\/[^/]+$/)
  // The message itself may be above the shown part of the conversation by now.
  await page.getByRole('heading', { level: 1, name: /^Continued from/ }).waitFor()
  await expect.poll(() => violationsIn(page), LONG).toEqual([])
  expect(faults).toEqual([])
}

function prompts(page: Page): Promise<string[]> {
  return page.getByTestId('msg-user').allInnerTexts()
}

/** The number of spinners and pulsing elements. */
function spinners(page: Page): Promise<number> {
  return page.locator('.session .pulse, .session .icon-spinner').count()
}
