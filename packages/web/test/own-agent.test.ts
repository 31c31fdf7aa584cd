// Personal setup in a real browser: a custom agent, and the width of the list.
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { HubProcess } from './hub-process.js'
import { Stage, useScriptedHub } from './scripted-page.js'
import { openPage, SCREENS } from './test-browser.js'

const DEMO = fileURLToPath(new URL('../../demo-agent/bundle/main.js', import.meta.url))

const stage = new Stage()

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
  expect(await value.getAttribute('type')).toBe('password')
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
  await useScriptedHub(page)
  await page.goto(stage.origin)
  const edge = page.getByRole('separator', { name: 'Resize sidebar' })
  await edge.focus()
  for (let step = 0; step < 9; step += 1) await page.keyboard.press('ArrowRight')
  expect(await edge.getAttribute('aria-valuenow')).toBe('360')
  await page.reload()
  const side = page.getByRole('navigation', { name: 'Sessions' })
  await side.waitFor()
  expect(Math.round((await side.boundingBox())?.width ?? 0)).toBe(360)
})
