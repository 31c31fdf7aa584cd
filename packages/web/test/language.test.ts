// The page in German, for a browser that prefers it, and the switch back to English.
import { ERRORS } from '@quayside/protocol'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsOf } from './accessible.js'
import { HubProcess } from './hub-process.js'
import { Stage, useScriptedHub } from './scripted-page.js'
import { goTo } from './reused-pages.js'
import { openPage, SCREENS } from './test-browser.js'
import { isTooWide } from './too-wide.js'

const SETTINGS = [
  'general',
  'notifications',
  'agents',
  'repositories',
  'processes',
  'storage',
  'access',
  'about',
]

const stage = new Stage()
let hub: HubProcess

beforeAll(async () => {
  hub = await HubProcess.start(['shop-api'])
}, 180_000)

afterAll(() => hub?.[Symbol.asyncDispose]())

test('a German browser is greeted, asked and obeyed in German, until English is chosen', async () => {
  const options = {
    ...SCREENS.desktop,
    locale: 'de-DE',
    isFirstVisit: true,
    storageState: await hub.signIn(),
  }
  const { page, faults } = await openPage(hub.origin, options)

  await page.goto(hub.origin)
  await page.getByRole('heading', { name: 'Mit welchem Agenten soll es losgehen?' }).waitFor()
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de')
  // The second once an agent is found.
  await page.getByRole('button', { name: /^(Überspringen|Weiter)$/ }).click()
  await page.getByRole('heading', { name: 'Was bauen wir?' }).waitFor()
  expect(await violationsOf(page)).toEqual([])

  await reachDecision(page)
  expect(await violationsOf(page, { isOnlyWcag: true })).toEqual([])

  await goTo(page, '/settings/general')
  await page.getByRole('group', { name: 'Sprache' }).waitFor()
  expect(await violationsOf(page)).toEqual([])
  // By keyboard: languages on the way are not applied.
  const languages = page.getByRole('group', { name: 'Sprache' })
  await languages.getByRole('radio', { name: 'Wie das System' }).focus()
  await page.keyboard.press('ArrowRight')
  const english = page.getByRole('radio', { name: 'English' })
  await expect.poll(() => english.evaluate((radio) => radio === document.activeElement)).toBe(true)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => english.isChecked()).toBe(true)
  await page.getByRole('button', { name: 'Neu laden, um die Sprache zu wechseln' }).press('Enter')
  await page.getByRole('group', { name: 'Language' }).waitFor()
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en')
  expect(faults).toEqual([])
})

test('German fits on a screen of 320 pixels', async () => {
  const options = { viewport: { width: 320, height: 640 }, locale: 'de-AT' }
  const storageState = await hub.signIn()
  const { page } = await openPage(hub.origin, { ...options, storageState })
  const tooWide: string[] = []
  const check = async (name: string) => {
    if (await isTooWide(page)) tooWide.push(name)
  }

  await page.goto(hub.origin)
  await page.getByRole('heading', { name: 'Was bauen wir?' }).waitFor()
  await check('home')
  const { id } = await hub.newSession('shop-api')
  await hub.call('POST', `/api/sessions/${id}/prompt`, { text: 'permission' })
  await goTo(page, `/s/${id}`)
  await page.getByRole('region', { name: 'Wartet auf deine Entscheidung' }).waitFor()
  await check('session')
  for (const name of SETTINGS) {
    await goTo(page, `/settings/${name}`)
    const chosen = page.locator(`.settings-link[aria-current=page][href$="/${name}"]`)
    await chosen.waitFor({ state: 'attached' })
    await page.locator('h1.page-title').waitFor()
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    await check(`settings/${name}`)
  }

  expect(tooWide).toEqual([])
})

test('sentences of the hub are German on a German page; those that it does not know stay as they are', async () => {
  const { page, faults } = await stage.open({ ...SCREENS.desktop, locale: 'de-DE' })
  const scripted = await useScriptedHub(page.context())
  const session = scripted.addSession()
  session.append(
    { type: 'session.ended', data: { status: 'completed', reason: 'idle_timeout' } },
    { type: 'session.resumed', data: {} },
    { type: 'notice', data: { severity: 'warning', code: 'new_code', message: 'Mind the gap.' } },
  )
  session.end('error', 'agent_exited')
  await page.goto(`${stage.origin}/s/${session.id}`)
  await page.getByText('Die Sitzung schläft nach längerer Ruhe.').waitFor()
  await page.getByText('Die Sitzung wurde fortgesetzt.').waitFor()
  await page.getByText('Mind the gap.').waitFor()
  await page.getByText('weil der Agent unerwartet beendet wurde').waitFor()

  scripted.routes.set(`POST /api/sessions/${session.id}/resume`, () => ({
    status: 507,
    body: { error: { code: 'disk_full', message: ERRORS.disk_full.message } },
  }))
  await page.getByRole('button', { name: 'Agent neu starten' }).click()
  await page.getByText('Ein Datenträger des Hubs ist voll').waitFor()
  expect(faults).toEqual([expect.stringContaining('507')])
})

test('an English page loads no German', async () => {
  const { page } = await stage.open({ locale: 'fr-FR' })
  await useScriptedHub(page.context())
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname))

  await page.goto(stage.origin)
  await page.getByRole('heading', { name: 'What should we build?' }).waitFor()

  expect(loaded.filter((path) => path.startsWith('/assets/de-'))).toEqual([])
})

async function reachDecision(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Nachricht an den Agenten' }).fill('permission')
  await page.getByRole('button', { name: 'Senden' }).click()
  const decision = page.getByRole('region', { name: 'Wartet auf deine Entscheidung' })
  await decision.getByText('Demo agent möchte').waitFor()
}
