// Every screen of the shell, in both themes and sizes: axe-core finds nothing, and nothing overflows.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsInBothSchemes } from './accessible.js'
import { HubProcess } from './hub-process.js'
import { goTo } from './reused-pages.js'
import { openPage } from './test-browser.js'

const SIZES = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
}
const SETTINGS = [
  'general',
  'notifications',
  'agents',
  'repositories',
  'processes',
  'storage',
  'access',
  'keyboard',
  'about',
]

let hub: HubProcess
let cookies: Awaited<ReturnType<HubProcess['signIn']>>['cookies']

beforeAll(async () => {
  hub = await HubProcess.start(['shop-api', 'web-store'])
  cookies = (await hub.signIn()).cookies
  const { id } = await hub.newSession('shop-api')
  await hub.call('POST', `/api/sessions/${id}/prompt`, { text: 'permission' })
}, 180_000)

afterAll(() => hub?.[Symbol.asyncDispose]())

/** Layers over the home page; Escape closes each. */
const LAYERS: Record<string, (page: Page) => Promise<void>> = {
  'agent picker': async (page) => {
    await page.getByRole('button', { name: /^Agent:/ }).click()
    await page.getByRole('listbox').waitFor()
  },
  'session menu': async (page) => {
    await page.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menu').waitFor()
  },
  'delete dialog': async (page) => {
    await page.getByTestId('session-row').focus()
    await page.keyboard.press('Delete')
    await page.getByRole('dialog').waitFor()
  },
  palette: async (page) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor()
  },
  help: async (page) => {
    await page.getByTestId('session-row').focus()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  },
}

test.each(Object.entries(SIZES))(
  'every screen is accessible on a %s',
  async (_name, size) => {
    const { page, faults } = await openPage(hub.origin, size)
    const found: Record<string, string[]> = {}
    const check = async (name: string) => {
      const overflow = await page.evaluate(() => {
        const { scrollWidth, scrollHeight } = document.documentElement
        const isHigh = scrollHeight > innerHeight
        return [scrollWidth > innerWidth ? 'too wide' : [], isHigh ? 'too high' : []].flat()
      })
      const violations = await violationsInBothSchemes(page)
      const wrong = [...violations, ...overflow]
      if (wrong.length > 0) found[name] = wrong
    }
    await page.goto(hub.origin)
    await page.getByRole('heading', { name: 'Sign in to Quayside' }).waitFor()
    await check('sign-in')

    await page.context().addCookies(cookies)
    await page.goto(hub.origin)
    await page.getByRole('button', { name: /^Agent:/ }).waitFor()
    await page.getByTestId('session-row').getByText('Needs your permission').waitFor()
    await check('home')
    for (const [name, open] of Object.entries(LAYERS)) {
      await open(page)
      await check(name)
      await page.keyboard.press('Escape')
      await page.locator('[role=listbox], [role=menu], dialog[open]').waitFor({ state: 'detached' })
    }
    await page.getByRole('searchbox').fill('permission')
    await page.locator('mark').first().waitFor()
    await check('search')
    await page.getByRole('searchbox').fill('')
    await page.getByRole('button', { name: /^Settings for this session/ }).click()
    await page.getByLabel('Working directory').waitFor()
    await check('new session settings')

    for (const name of SETTINGS) {
      await goTo(page, `/settings/${name}`)
      const chosen = page.locator(`.settings-link[aria-current=page][href$="/${name}"]`)
      await chosen.waitFor({ state: 'attached' })
      await page.locator('h1.page-title').waitFor()
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
      await check(`settings/${name}`)
    }
    await goTo(page, '/settings')
    await page.getByRole('link', { name: 'Storage' }).waitFor()
    await check('settings')
    await goTo(page, '/nowhere')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await check('missing page')
    await goTo(page, '/welcome')
    await page.getByText(/other agents you can install/).click()
    await check('welcome')

    expect(found).toEqual({})
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([])
    await page.context().close()
  },
  180_000,
)
