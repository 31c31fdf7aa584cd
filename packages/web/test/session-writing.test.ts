// Writing to a scripted agent: keys, pastes, and announcements for screen readers.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { offerModes, ScriptedStage } from './scripted-stage.js'
import { distanceFromEnd, said, send } from './session-stage.js'

const stage = new ScriptedStage()

test('a message that is sent while reading further up is visible', async () => {
  const { page, faults } = await stage.open()
  await readFurtherUp(page)
  await send(page, 'echo here')
  await said(page, 'here').waitFor()
  await page.getByTestId('jump-latest').waitFor({ state: 'detached' })
  await expect.poll(() => distanceFromEnd(page)).toBeLessThanOrEqual(2)
  expect(faults).toEqual([])
})

test('a late correction of the list does not take the reader away from the end', async () => {
  const { page, faults } = await stage.open()
  await readFurtherUp(page)
  // In the frame after the click the list scrolls to the row that was read before.
  const distance = await page.evaluate(async () => {
    const log = document.querySelector('.timeline')!
    const frame = () => new Promise(requestAnimationFrame)
    document.querySelector<HTMLElement>('[data-testid=jump-latest]')!.click()
    await frame()
    log.scrollTop = 0
    for (let frames = 0; frames < 5; frames += 1) await frame()
    return log.scrollHeight - log.scrollTop - log.clientHeight
  })
  expect(distance).toBeLessThanOrEqual(2)
  await page.getByTestId('jump-latest').waitFor({ state: 'detached' })
  expect(faults).toEqual([])
})

test('keys go through sent messages, to own messages and to the agent’s options', async () => {
  const { page, faults, hub, session } = await stage.open()
  offerModes(hub, session)
  const input = page.getByTestId('composer-input')
  for (const [text, answer] of [
    ['drip 60', 'drop 60'],
    ['echo two', 'two'],
    ['drip 70', 'drop 70'],
  ] as const) {
    await send(page, text)
    await said(page, answer).last().waitFor()
  }
  const typed = async (key: string) => {
    await input.press(key)
    return input.inputValue()
  }
  expect(await typed('ArrowUp')).toBe('drip 70')
  expect(await typed('ArrowUp')).toBe('echo two')
  expect(await typed('ArrowDown')).toBe('drip 70')
  expect(await typed('ArrowDown')).toBe('')

  const top = async () => (await page.getByTestId('msg-user').first().boundingBox())?.y ?? -1
  await input.press('Control+ArrowUp')
  await page.getByTestId('msg-user').getByText('drip 70').waitFor()
  await page.getByTestId('jump-latest').waitFor()
  await input.press('Control+ArrowUp')
  await input.press('Control+ArrowUp')
  await page.getByTestId('msg-user').getByText('drip 60').waitFor()
  await expect.poll(() => top()).toBeGreaterThan(0)
  await input.press('Control+Shift+M')
  await page.getByRole('menuitemradio').first().waitFor()
  await page.keyboard.press('Escape')
  expect(faults).toEqual([])
})

test('a long pasted text is a chip, is sent with the message, and can be inserted into it', async () => {
  const { page, faults } = await stage.open()
  const chips = page.getByRole('list', { name: 'Pasted text' })
  const long = Array.from({ length: 300 }, (_, at) => `pasted line ${at + 1}`).join('\n')
  await page.getByTestId('composer-input').fill('echo')
  await page.getByTestId('composer-input').evaluate(paste, long)
  await chips.getByText('Pasted text (300 lines)').waitFor()
  await expect.poll(() => page.getByTestId('composer-input').inputValue()).toBe('echo')
  await page.reload()
  await chips.getByText('Pasted text (300 lines)').click()
  await chips.waitFor({ state: 'detached' })
  await expect.poll(() => page.getByTestId('composer-input').inputValue()).toBe(`echo\n${long}`)
  await page.getByTestId('composer-input').fill('echo')
  await page.getByTestId('composer-input').evaluate(paste, long)
  await page.getByTestId('send').click()
  await said(page, 'pasted line 300').waitFor()
  await chips.waitFor({ state: 'detached' })
  expect(faults).toEqual([])
})

test('a screen reader announces the beginning of a finished answer and the edits, once', async () => {
  const { page, faults } = await stage.open()
  const announced = page.getByTestId('announcements')
  await send(page, 'echo the whole answer')
  await announced.getByText('the whole answer').waitFor()
  await send(page, 'edit README.md')
  await announced.getByText('Edited 1 file.').waitFor()
  await page.reload()
  await page.getByTestId('tool-card').waitFor()
  await expect.poll(() => announced.innerText()).not.toContain('Edited')
  expect(faults).toEqual([])
})

test('a tool call shows its outcome: allowed and done, or rejected', async () => {
  const { page, faults } = await stage.open()
  const dock = page.getByTestId('decision-dock')
  const card = (status: string) => page.locator(`[data-testid=tool-card][data-status=${status}]`)
  await send(page, 'ask')
  await dock.getByRole('button', { name: 'Allow', exact: false }).first().click()
  await card('completed').getByText('Do nothing').waitFor()
  await send(page, 'ask')
  await dock.getByRole('button', { name: 'Reject', exact: false }).first().click()
  await card('rejected').getByText('Rejected').waitFor()
  await expect.poll(() => card('interrupted').count()).toBe(0)
  expect(faults).toEqual([])
})

test('text that an office program copied beside its picture is pasted as text', async () => {
  const { page, faults } = await stage.open()
  const isForBrowser = await page.getByTestId('composer-input').evaluate((field) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'A1\tB1')
    clipboardData.setData('text/html', '<td>A1</td><td>B1</td>')
    clipboardData.items.add(new File(['x'], 'image.png', { type: 'image/png' }))
    const init = { clipboardData, bubbles: true, cancelable: true }
    return field.dispatchEvent(new ClipboardEvent('paste', init))
  })
  expect(isForBrowser).toBe(true)
  await expect.poll(() => page.locator('.attachment').count()).toBe(0)
  expect(faults).toEqual([])
})

test('a file that is dropped beside the composer does not replace the page', async () => {
  const { page, faults } = await stage.open()
  const isForBrowser = await page.getByRole('log').evaluate((log) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['x'], 'a.png', { type: 'image/png' }))
    const init = { dataTransfer, bubbles: true, cancelable: true }
    return ['dragover', 'drop'].map((type) => log.dispatchEvent(new DragEvent(type, init)))
  })
  expect(isForBrowser).toEqual([false, false])
  expect(faults).toEqual([])
})

/** Runs in the page. */
function paste(field: Element, text: string): void {
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', text)
  field.dispatchEvent(
    new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
  )
}

/** The page of a long answer, scrolled to its beginning. */
async function readFurtherUp(page: Page): Promise<void> {
  await send(page, 'drip 200')
  await said(page, 'drop 200').waitFor()
  await page.getByRole('log').hover()
  await page.mouse.wheel(0, -100_000)
  await page.getByTestId('jump-latest').waitFor()
}
