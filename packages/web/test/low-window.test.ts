// Small windows: a low one, such as a laptop's at 200 %, leaves its room to the list and the conversation; on a phone names are whole.
import { expect, test } from 'vitest'
import { goTo } from './reused-pages.js'
import { Stage, useScriptedHub } from './scripted-page.js'
import { SCREENS } from './test-browser.js'

const stage = new Stage()

test.each([
  { width: 720, height: 450 },
  { width: 500, height: 300 },
])(
  'about half of a window of $width × $height is the list or the conversation',
  async (viewport) => {
    const { page, faults } = await stage.open({ viewport })
    const hub = await useScriptedHub(page.context())
    const session = hub.addSession({ title: 'One' })
    for (let at = 0; at < 12; at += 1) hub.addSession()
    session.prompt([{ type: 'text', text: 'Begin' }], 'turn-1')

    await page.goto(stage.origin)
    await page.getByTestId('session-row').first().waitFor()
    const list = await page.locator('.session-list').boundingBox()
    expect(list?.height).toBeGreaterThanOrEqual(viewport.height * 0.45)

    await goTo(page, `/s/${session.id}`)
    await page.getByText('You said: Begin').waitFor()
    const conversation = await page.getByRole('log').boundingBox()
    expect(conversation?.height).toBeGreaterThanOrEqual(viewport.height / 2)
    await page.getByTestId('composer-input').fill('Go on')
    await page.getByTestId('send').click()
    await page.getByRole('log').getByText('You said: Go on').waitFor()
    expect(faults).toEqual([])
  },
)

test('on a phone the names of the repository and the agent are whole before a session starts', async () => {
  const { page, faults } = await stage.open(SCREENS.phone)
  const hub = await useScriptedHub(page.context())
  hub.addSession({ title: 'One' })
  await page.goto(stage.origin)
  const names = page.locator('.home .picker-name')
  await names.filter({ hasText: 'Demo agent' }).waitFor()
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 })
    await expect
      .poll(() => names.evaluateAll((all) => all.some((one) => one.scrollWidth > one.clientWidth)))
      .toBe(false)
  }
  expect(faults).toEqual([])
})
