// One session in two tabs of a browser: a change in one appears in the other.
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { ScriptedStage } from './scripted-stage.js'
import { said, send } from './session-stage.js'

const stage = new ScriptedStage()

test('a session that is deleted in one tab is gone from the other', async () => {
  const { page, faults } = await stage.open()
  const other = await beside(page)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await other.getByText('This session was removed.').waitFor()
  await expect.poll(() => other.getByTestId('composer-input').count()).toBe(0)
  await page.getByRole('heading', { name: 'What should we build?' }).waitFor()
  expect(faults).toEqual([])
})

test('the edit of a queued message that is gone moves to the composer', async () => {
  const { page, faults } = await stage.open()
  const other = await beside(page)
  await send(page, 'wait')
  await page.getByTestId('stop').waitFor()
  await send(page, 'echo two')
  const own = page.getByTestId('queue').getByRole('listitem').filter({ hasText: 'echo two' })
  await own.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Queued message' }).fill('echo three')
  const waiting = other.getByTestId('queue').getByRole('listitem').filter({ hasText: 'echo two' })
  await waiting.getByRole('button', { name: 'Remove from the queue' }).click()
  await page.getByTestId('queue').waitFor({ state: 'detached' })
  const input = page.getByTestId('composer-input')
  await expect.poll(() => input.inputValue()).toBe('echo three')
  await expect.poll(() => input.evaluate((field) => field === document.activeElement)).toBe(true)
  expect(faults).toEqual([])
})

test('read marks are shared between tabs, and an ended session is not unread', async () => {
  const { page, faults, session } = await stage.open()
  const icon = (of: Page) => of.locator('link[rel=icon]').getAttribute('href')
  const address = page.url()
  await page.goto(new URL('/', address).href)
  const row = page.locator(`[data-testid=session-row][href^="${new URL(address).pathname}"]`)
  await row.waitFor()
  session.prompt([{ type: 'text', text: 'echo news' }], 'one')
  await expect.poll(() => icon(page)).toBe('/icon-done.svg')
  const reader = await page.context().newPage()
  onTestFinished(() => reader.close())
  await reader.goto(address)
  await said(reader, 'news').waitFor()
  await expect.poll(() => icon(page)).toBe('/icon.svg')
  await send(reader, 'wait')
  await reader.getByTestId('stop').waitFor()
  await reader.goto(new URL('/', address).href)
  session.end('cancelled')
  await row.getByText('Ended').waitFor()
  await expect.poll(() => icon(page)).toBe('/icon.svg')
  expect(faults).toEqual([])
})

async function beside(page: Page): Promise<Page> {
  const other = await page.context().newPage()
  onTestFinished(() => other.close())
  await other.goto(page.url())
  await other.getByTestId('composer-input').waitFor()
  return other
}
