// Personal setup in a real browser: how to install an agent, a custom agent, and the width of the list.
import { fileURLToPath } from 'node:url'
import type { Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { HubProcess } from './hub-process.js'
import { Stage, useScriptedHub } from './scripted-page.js'
import { openPage, SCREENS } from './test-browser.js'

const DEMO = fileURLToPath(new URL('../../demo-agent/bundle/main.js', import.meta.url))

const stage = new Stage()

test('the settings show how to install an agent, before it is checked', async () => {
  await using hub = await HubProcess.start(['shop-api'])
  const storageState = await hub.signIn()
  const { page, faults } = await openPage(hub.origin, { ...SCREENS.desktop, storageState })
  await page.goto(`${hub.origin}/settings/agents`)
  const gemini = page.getByTestId('agent').filter({ hasText: 'Gemini CLI' })
  await gemini.getByText('npm install -g @google/gemini-cli').waitFor()
  await gemini.getByRole('button', { name: 'Copy' }).waitFor()
  await gemini.getByRole('button', { name: 'Install Gemini CLI' }).waitFor()
  expect(faults).toEqual([])
})

test('a custom agent is added, tested, used and removed', async () => {
  await using hub = await HubProcess.start(['shop-api'])
  const storageState = await hub.signIn()
  const { page, faults } = await openPage(hub.origin, { ...SCREENS.desktop, storageState })
  await page.goto(`${hub.origin}/agents`)
  await page.getByRole('button', { name: 'Add a custom agent' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Name/).fill('My agent')
  await dialog.getByLabel(/^Command/).fill('no-such-program-anywhere')
  await dialog.getByRole('button', { name: 'Add and test' }).click()
  await dialog.getByText('Command not found.').waitFor()

  await dialog.getByLabel(/^Command/).fill(process.execPath)
  await dialog.getByLabel('Arguments').fill(DEMO)
  await dialog.getByRole('button', { name: 'Add a variable' }).click()
  await dialog.getByLabel('Variable name').fill('MY_API_KEY')
  const value = dialog.getByLabel('Value of MY_API_KEY')
  await value.fill('a-secret-for-tests')
  await expect.poll(() => value.getAttribute('type')).toBe('password')
  await dialog.getByRole('button', { name: 'Add and test' }).click()
  await dialog.getByText('It works.').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()

  const card = page.getByTestId('agent').filter({ hasText: 'My agent' })
  await card.getByText(/^Ready/).waitFor()
  await card.getByText('Settings').click()
  await card.getByRole('button', { name: 'Remove agent' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await card.waitFor({ state: 'detached' })
  expect(faults).toEqual([])
})

test('the list of sessions is as wide as it was drawn', async () => {
  const { page } = await stage.open(SCREENS.desktop)
  await useScriptedHub(page.context())
  const held: Route[] = []
  await page.route('**/api/repos', (route) => void held.push(route))
  await page.goto(stage.origin)
  const edge = page.getByRole('separator', { name: 'Resize sidebar' })
  await edge.focus()
  // A field that is drawn late does not take the focus away.
  await expect.poll(() => held.length).toBe(1)
  await held[0]?.fallback()
  await page.getByTestId('composer-input').waitFor()
  for (let step = 0; step < 9; step += 1) await page.keyboard.press('ArrowRight')
  await expect.poll(() => edge.getAttribute('aria-valuenow')).toBe('360')
  await page.reload()
  const side = page.getByRole('navigation', { name: 'Sessions' })
  await side.waitFor()
  expect(Math.round((await side.boundingBox())?.width ?? 0)).toBe(360)
})
