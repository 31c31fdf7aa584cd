// A1. First visit: find the agents and start.
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DESKTOP, LONG, said, send, status, Story, violationsIn } from './story.js'

test('a new person finds the agents, and the first task becomes a session', async () => {
  const story = await Story.begin()
  const { page, faults } = await story.open('/', { ...DESKTOP, isFirstVisit: true })
  await page.waitForURL(`${story.hub.origin}/welcome`)
  const agent = (name: string) => page.getByTestId('agent').filter({ hasText: name })
  await agent('Fake agent')
    .getByText(/^Ready/)
    .waitFor()
  await page.getByText('1 other agent you can install').click()
  const missing = agent('Missing agent')
  await missing.getByText('Not installed').waitFor()
  await missing.getByText('npm install -g fake-missing').waitFor()
  await missing.getByRole('button', { name: 'Copy' }).waitFor()
  expect(await violationsIn(page)).toEqual([])

  await page.getByRole('button', { name: 'Continue' }).click()
  await addByPath(story.hub.root)
  await page.getByRole('button', { name: /^Repository:/ }).click()
  await page
    .getByRole('listbox')
    .getByRole('option', { name: /^shop-api/ })
    .click()
  await page.getByRole('button', { name: /^Agent:/ }).click()
  await page
    .getByRole('listbox')
    .getByRole('option', { name: /^Fake agent/ })
    .click()
  await page.getByTestId('composer-input').fill('echo hello')
  await page.getByTestId('composer-input').press('Enter')

  await page.waitForURL(/\/s\/[^/]+$/)
  await said(page, 'hello').waitFor()
  await expect.poll(() => page.getByTestId('msg-user').count()).toBe(1)
  await status(page, 'Idle')
  await send(page, 'slow 600')
  await status(page, 'Working')
  await page.getByTestId('stop').click()
  const stopped = page.getByTestId('turn-end').getByText('You stopped this')
  await stopped.waitFor()
  await status(page, 'Idle')
  const group = page.locator('.session-group').filter({ hasText: 'shop-api' })
  await group.getByTestId('session-row').getByText('echo hello', { exact: true }).waitFor()

  const before = await conversation()
  await page.reload()
  await stopped.waitFor()
  await expect.poll(conversation, LONG).toEqual(before)
  await expect.poll(() => page.getByTestId('msg-user').count()).toBe(2)
  await expect.poll(() => page.getByTestId('session-row').count()).toBe(1)
  expect(await violationsIn(page)).toEqual([])
  expect(faults).toEqual([])

  /** Adds a repository that a scan does not find. */
  async function addByPath(root: string): Promise<void> {
    const old = join(root, '.archive', 'old-shop')
    await cp(join(root, 'shop-api'), old, { recursive: true })
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a repository' })
    const path = dialog.getByRole('textbox', { name: 'Folder path' })
    const add = dialog.getByRole('button', { name: 'Add repository' })
    expect(await violationsIn(page)).toEqual([])
    await path.fill(old)
    await add.click()
    await page.getByRole('button', { name: 'Repository: old-shop' }).waitFor()
    await page.getByRole('button', { name: 'Work in old-shop' }).waitFor()
  }

  function conversation(): Promise<string[]> {
    return page.locator('.timeline .row').allInnerTexts()
  }
}, 300_000)
