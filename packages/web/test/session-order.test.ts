// The order and the names of sessions in the sidebar: rows stay below the pointer, and equal titles can be told apart.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ScriptedStage } from './scripted-stage.js'

const stage = new ScriptedStage()

test('activity elsewhere reorders no rows below the pointer; the list is sorted when the pointer leaves it', async () => {
  const { page, faults, hub, session } = await stage.open()
  session.change({ title: 'One' })
  const others = ['Two', 'Three'].map((title) => hub.addSession({ title }))
  await expect.poll(() => titles(page)).toHaveLength(3)
  const before = await titles(page)
  await page.getByTestId('session-row').nth(1).hover()
  const last = [session, ...others].find(({ summary }) => summary.title === before[2])
  last?.prompt([{ type: 'text', text: 'Begin' }], 'turn-1')
  const added = hub.addSession({ title: 'Four' })
  await page.getByText('Four').waitFor()
  await expect.poll(() => titles(page)).toEqual([added.summary.title, ...before])
  await page.getByRole('log').hover()
  await expect.poll(async () => (await titles(page)).slice(2)).toEqual(before.slice(0, 2))
  expect(faults).toEqual([])
})

test('a session in a repository that is new is shown under its name, without a reload', async () => {
  const { page, faults, hub } = await stage.openOwn()
  const [known] = hub.repos
  if (known)
    hub.repos.unshift({ ...known, id: 'repo-2', name: 'web-store', path: '/src/web-store' })
  hub.addSession({ title: 'In a new repository' })
  await page.getByTestId('session-row').getByText('In a new repository').waitFor()
  const group = page.locator('.session-group').filter({ hasText: 'In a new repository' })
  await group.getByRole('link', { name: 'web-store' }).waitFor()
  expect(faults).toEqual([])
})

test('sessions with the same title show the end of their id', async () => {
  const { page, faults, hub } = await stage.open()
  hub.addSession({ id: 'session-7d1f', title: 'Fix the tests' })
  hub.addSession({ id: 'session-20ab', title: 'Fix the tests' })
  hub.addSession({ id: 'session-ffff', title: 'Another' })
  await page.getByText('Another').waitFor()
  const shown = await page.locator('.session-title').allInnerTexts()
  const oneLine = shown.map((text) => text.replaceAll('\n', ' '))
  expect(oneLine).toEqual(
    expect.arrayContaining(['Fix the tests · 7d1f', 'Fix the tests · 20ab', 'Another']),
  )
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: /Fix the tests.*20ab/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'New session' }).first().click()
  await page.getByRole('main').getByText('· 7d1f').waitFor()
  expect(faults).toEqual([])
})

function titles(page: Page): Promise<string[]> {
  return page.locator('.session-title > [dir], .session-title[dir]').allInnerTexts()
}
