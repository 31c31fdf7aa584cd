// Keys and focus in a session of a scripted agent: a key does only what it says, and the focus is never lost.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { offerModes, ScriptedStage } from './scripted-stage.js'
import { said, send } from './session-stage.js'

const stage = new ScriptedStage()

test('a digit does not answer a decision below a dialog or a menu', async () => {
  const { page, faults, session } = await stage.openOwn()
  const dock = page.getByTestId('decision-dock')
  await page.clock.install()
  await send(page, 'ask')
  await dock.waitFor()
  // Longer than the delay after which digits are accepted.
  await page.clock.runFor(1_000)
  await page.getByRole('log').focus()
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('1')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menu').waitFor()
  await page.keyboard.press('1')
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  expect(session.permissions).toHaveLength(1)
  await page.keyboard.press('1')
  await dock.waitFor({ state: 'detached' })
  expect(faults).toEqual([])
})

test('a double click answers one decision, and not the next one that appears below the pointer', async () => {
  const { page, faults, session } = await stage.openOwn()
  const dock = page.getByTestId('decision-dock')
  const option = dock.getByTestId('decision-option').first()
  await page.clock.install()
  await send(page, 'ask-twice')
  await dock.getByText('Do nothing').waitFor()
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  const { x, y, width, height } = (await option.boundingBox())!
  const [left, top] = [x + width / 2, y + height / 2]
  await page.mouse.click(left, top)
  // The page draws with this clock, so the next decision is at most one step old.
  while (!(await dock.getByText('Remove everything').isVisible())) await page.clock.runFor(20)
  await page.mouse.click(left, top, { clickCount: 2 })
  await page.keyboard.press('1')
  // The button keeps the focus, and works with the keyboard a moment later.
  await option.focus()
  await page.keyboard.press('Enter')
  await page.clock.runFor(400)
  await page.mouse.click(left, top)
  expect(await page.evaluate(() => fetch('/api/sessions').then(({ ok }) => ok))).toBe(true)
  expect(session.permissions).toMatchObject([{ toolCall: { title: 'Remove everything' } }])
  await page.clock.runFor(100)
  await expect.poll(() => option.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await expect.poll(() => session.permissions).toEqual([])
  await page.clock.resume()
  await dock.waitFor({ state: 'detached' })
  expect(faults).toEqual([])
})

test('holding Enter queues a message and does not stop the turn', async () => {
  const { page, faults } = await stage.open()
  await send(page, 'wait')
  await page.getByTestId('stop').waitFor()
  await page.getByTestId('composer-input').fill('echo next')
  await page.keyboard.down('Enter')
  await page.getByTestId('queue').getByText('echo next').waitFor()
  await page.keyboard.down('Enter')
  await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  // The answer to a later request proves that earlier ones were handled.
  expect(await page.evaluate(() => fetch('/api/sessions').then(({ ok }) => ok))).toBe(true)
  await expect.poll(() => page.getByTestId('queue').getByText('echo next').count()).toBe(1)
  await page.getByTestId('stop').waitFor()
  expect(faults).toEqual([])
})

test('after a decision, a message and a stop the focus is where it was, or in the composer', async () => {
  const { page, faults } = await stage.open()
  await send(page, 'ask')
  await page.getByTestId('decision-dock').waitFor()
  await expect.poll(() => focused(page)).toBe('Message to the agent')
  await page.getByRole('log').focus()
  await page.keyboard.press('Alt+d')
  await page.getByRole('button', { name: 'Allow once', disabled: false }).focus()
  await page.keyboard.press('Enter')
  await page.getByTestId('decision-dock').waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).toBe('Conversation')
  await send(page, 'wait')
  await page.getByTestId('stop').click()
  await page.getByText('You stopped this').waitFor()
  await expect.poll(() => focused(page)).toBe('Message to the agent')
  await page.keyboard.press('Control+f')
  await page.keyboard.press('Escape')
  await expect.poll(() => focused(page)).toBe('Conversation')
  expect(faults).toEqual([])
})

test('a queued message that was changed has the focus again', async () => {
  const { page, faults } = await stage.open()
  await send(page, 'wait')
  await page.getByTestId('stop').waitFor()
  await send(page, 'echo two')
  // Not the first message, which also waits until the agent has started.
  const waiting = page.getByTestId('queue').getByRole('listitem').filter({ hasText: 'echo two' })
  await waiting.getByRole('button', { name: 'Edit' }).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('echo three')
  await page.keyboard.press('Enter')
  await page.getByTestId('queue').getByText('echo three').waitFor()
  await expect.poll(() => focused(page)).toBe('Edit')
  expect(faults).toEqual([])
})

test('feedback to a rejection is sent before queued messages', async () => {
  const { page, faults } = await stage.open()
  await send(page, 'ask')
  await page.getByTestId('decision-dock').waitFor()
  await send(page, 'echo waited')
  await page.getByTestId('queue').getByText('echo waited').waitFor()
  await page.getByText('Reject with feedback').click()
  await page.getByRole('textbox', { name: 'What to do instead' }).fill('echo instead')
  await page.keyboard.press('Enter')
  await said(page, 'waited').waitFor()
  const answers = await page.getByTestId('msg-agent').allInnerTexts()
  expect(answers.filter((text) => /instead|waited/.test(text))).toEqual(['instead', 'waited'])
  expect(faults).toEqual([])
})

test('a row that is renamed keeps the focus, and one that is archived hands it on', async () => {
  const { page, faults, hub, session } = await stage.open()
  session.change({ title: 'One' })
  hub.addSession({ title: 'Two' })
  const row = (name: string) => page.getByTestId('session-row').filter({ hasText: name })
  await row('Two').focus()
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'Session name' }).fill('Second')
  await page.keyboard.press('Enter')
  await row('Second').waitFor()
  await expect.poll(() => focused(page)).toContain('Second')
  await page.keyboard.press('e')
  await row('Second').waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).toContain('One')
  expect(faults).toEqual([])
})

test('Esc that empties the search does not begin to stop the agent', async () => {
  const { page, faults } = await stage.open()
  await send(page, 'wait')
  await page.getByTestId('stop').waitFor()
  const search = page.getByRole('searchbox', { name: 'Search' })
  await search.fill('nothing')
  await search.press('Escape')
  await expect.poll(() => search.inputValue()).toBe('')
  await expect.poll(() => page.getByText('Press Esc again to stop').count()).toBe(0)
  await search.press('Escape')
  await page.getByText('Press Esc again to stop').waitFor()
  expect(faults).toEqual([])
})

test('choosing a mode by keyboard keeps the focus', async () => {
  const { page, faults, hub, session } = await stage.open()
  offerModes(hub, session)
  const mode = page.getByTestId('config-mode')
  await mode.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitemradio', { name: 'Code' }).focus()
  await page.keyboard.press('Enter')
  await mode.getByText('Code').waitFor()
  await expect.poll(() => focused(page)).toBe('Mode: Code')
  expect(faults).toEqual([])
})

test('text typed right after opening the palette is in the palette, not in the message', async () => {
  const { page, faults } = await stage.open()
  let isHeldBack: (() => void) | undefined
  const held = new Promise<void>((resolve) => (isHeldBack = resolve))
  await page.route('**/assets/palette-*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.reload()
  await page.getByText('Demo agent is ready. What').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('keyb')
  isHeldBack?.()
  await page
    .getByRole('option', { name: /Keyboard/ })
    .first()
    .waitFor()
  await expect.poll(() => page.getByRole('dialog').getByRole('combobox').inputValue()).toBe('keyb')
  await expect.poll(() => page.getByTestId('composer-input').inputValue()).toBe('')
  await page.keyboard.press('Escape')
  await page.unroute('**/assets/palette-*.js')
  expect(faults).toEqual([])
})

test('the focus goes from the menu of a row to the name field, and from a closed panel to its button', async () => {
  const { page, faults } = await stage.open()
  await send(page, 'echo named')
  const row = page.getByTestId('session-row').filter({ hasText: 'echo named' })
  await row.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await page.keyboard.type('By its menu')
  await page.keyboard.press('Enter')
  await page.getByTestId('session-row').filter({ hasText: 'By its menu' }).waitFor()
  await page.keyboard.press('Control+j')
  await page.locator('.panel').getByRole('button', { name: 'Close the side panel' }).click()
  await expect.poll(() => focused(page)).toBe('Open the side panel')
  expect(faults).toEqual([])
})

/** The focused element, by its label or text. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement
    return element?.ariaLabel ?? element?.textContent ?? ''
  })
}
