// The palette's verbs for the session on the screen, on a scripted hub.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { offerModes, ScriptedStage } from './scripted-stage.js'
import { send } from './session-stage.js'

const stage = new ScriptedStage()

async function choose(page: Page, typed: string, verb: string): Promise<void> {
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  await palette.getByRole('combobox').fill(typed)
  await palette.getByRole('option', { name: verb, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await palette.waitFor({ state: 'detached' })
}

test('the palette stops, reviews, configures, exports, renames and archives the session on the screen', async () => {
  const { page, hub, session, faults } = await stage.open()
  offerModes(hub, session)
  hub.routes.set(`GET /api/sessions/${session.id}/transcript`, () => ({ body: {} }))
  await send(page, 'wait')
  await page.getByTestId('stop').waitFor()
  await choose(page, 'stop', 'Stop the turn')
  await page.getByText('You stopped this').waitFor()

  await choose(page, 'mode code', 'Mode: Code')
  await page.getByTestId('config-mode').getByText('Code').waitFor()
  await choose(page, 'review', 'Review changes')
  await page.getByRole('tab', { name: /Changes/, selected: true }).waitFor()
  const download = page.waitForEvent('download')
  await choose(page, 'markdown', 'Export as Markdown')
  expect((await download).url()).toContain('format=md')

  await choose(page, 'rena', 'Rename')
  await page.getByRole('textbox', { name: 'Session name' }).fill('Another name')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Another name' }).first().waitFor()
  await choose(page, 'arch', 'Archive')
  await page.getByText('Archived. Read only.').waitFor()
  await choose(page, 'unarch', 'Unarchive')
  await page.getByTestId('composer-input').waitFor()
  expect(faults).toEqual([])
})
