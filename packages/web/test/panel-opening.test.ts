// Opening a side panel: by a key it takes the focus, and from the address it has its room at the first paint.
import type { FileChange } from '@quayside/protocol'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ScriptedStage, type ScriptedPage } from './scripted-stage.js'

const stage = new ScriptedStage()

const PANELS = '**/assets/session-panels-*.js'

const FILE: FileChange = {
  path: 'prices.ts',
  status: 'M',
  kind: 'text',
  added: 1,
  removed: 1,
  patch: '@@ -1,2 +1,2 @@\n-const tax = 18\n+const tax = 19\n const currency = "EUR"\n',
}

test('keys typed after the key for Changes move in the review, not into the message, even while it loads', async () => {
  const scripted = await stage.open()
  const { page, faults } = scripted
  changeFile(scripted)
  const release = await holdPanels(page)
  await page.reload()
  await page.getByText('Demo agent is ready. What').waitFor()
  await page.getByTestId('composer-input').focus()
  await page.keyboard.press('Control+Shift+D')
  await page.keyboard.press('j')
  release()
  const lines = page.getByRole('group', { name: 'Changed lines' })
  await lines.getByText('const tax = 19').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect
    .poll(() => page.locator('.diff-row[data-selected]').innerText())
    .toContain('const tax = 19')
  await expect.poll(() => page.getByTestId('composer-input').inputValue()).toBe('')

  await page.getByTestId('composer-input').focus()
  await page.keyboard.press('Control+Shift+D')
  await expect.poll(() => lines.evaluate((list) => list === document.activeElement)).toBe(true)
  await page.keyboard.press('Control+Shift+E')
  await page.getByRole('button', { name: 'Open a terminal' }).waitFor()
  await page.keyboard.press('Tab')
  await expect.poll(() => isInPanel(page)).toBe(true)
  await page.keyboard.press('Control+j')
  await page.locator('.panel').waitFor({ state: 'detached' })
  await page.keyboard.type('next')
  await expect.poll(() => page.getByTestId('composer-input').inputValue()).toBe('next')
  await page.keyboard.press('Control+j')
  await expect.poll(() => isInPanel(page)).toBe(true)
  await page.unroute(PANELS)
  expect(faults).toEqual([])
})

test('changes that were made while the page was loading are shown when the panel is opened', async () => {
  const scripted = await stage.open()
  const { page, faults } = scripted
  const unanswered = '**/changes?patches=false'
  await page.route(unanswered, () => {}, { times: 1 })
  await page.reload()
  await page.getByText('Demo agent is ready. What').waitFor()
  changeFile(scripted)
  await page.keyboard.press('Control+Shift+D')
  const lines = page.getByRole('group', { name: 'Changed lines' })
  await lines.getByText('const tax = 19').waitFor()
  await page.unroute(unanswered)
  expect(faults).toEqual([])
})

test('a panel in the address has its room before it is loaded, so that the conversation does not move', async () => {
  const { page, faults } = await stage.open()
  const conversation = page.url()
  // The second one reopens the panel that was open last.
  for (const address of [`${conversation}/changes`, conversation]) {
    const release = await holdPanels(page)
    await page.goto(address)
    await page.getByText('Demo agent is ready. What').waitFor()
    const before = await page.getByRole('log').boundingBox()
    release()
    await page.getByRole('tab', { name: 'Terminals' }).click()
    expect(before).toEqual(await page.getByRole('log').boundingBox())
  }
  await page.unroute(PANELS)
  expect(faults).toEqual([])
})

test('the page, its list of sessions and a panel are drawn when their scripts are loaded, without a pause', async () => {
  const { page, faults } = await stage.openOwn()
  await page.addInitScript(() => {
    const { setTimeout } = globalThis
    const pauses: unknown[] = []
    Object.assign(globalThis, {
      pauses,
      setTimeout: (action: () => void, ms = 0, ...rest: unknown[]) => {
        if (ms > 50 && ms <= 300) pauses.push(ms)
        return setTimeout(action, ms, ...rest)
      },
    })
  })
  await page.goto(`${page.url()}/terminals`)
  await page.getByText('Demo agent is ready. What').waitFor()
  await page.getByTestId('session-row').waitFor()
  await page.getByRole('tab', { name: 'Terminals', selected: true }).waitFor()
  expect(await page.evaluate(() => Reflect.get(globalThis, 'pauses') as unknown)).toEqual([])
  expect(faults).toEqual([])
})

function changeFile({ hub }: ScriptedPage): void {
  hub.commands['session/changes'] = () => ({
    is: 'known',
    files: [FILE],
    total: 1,
    added: 1,
    removed: 1,
    isTruncated: false,
  })
}

/** Holds back the content of the panels until the returned function is called. */
async function holdPanels(page: Page): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.unroute(PANELS)
  await page.route(PANELS, async (route) => {
    await held
    await route.continue()
  })
  return release
}

function isInPanel(page: Page): Promise<boolean> {
  return page.evaluate(() => Boolean(document.activeElement?.closest('.panel')))
}
