// Every screen of the shell, in both themes and on both sizes: nothing that axe-core can find is wrong, and nothing is too wide.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsOf } from './accessible.js'
import { HubProcess } from './hub-process.js'
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
let cookies: { name: string; value: string; url: string }[]

beforeAll(async () => {
  hub = await HubProcess.start(['shop-api', 'web-store'])
  const { page } = await openPage(hub.origin, SIZES.desktop)
  await page.goto(hub.address)
  await page.getByRole('button', { name: 'Start a session in shop-api' }).click()
  await page.getByText('Demo agent is ready. What').waitFor()
  await page.getByRole('textbox', { name: 'Message to the agent' }).fill('permission')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('region', { name: 'Decision needed' }).waitFor()
  const signedIn = await page.context().cookies()
  cookies = signedIn.map(({ name, value }) => ({ name, value, url: hub.origin }))
  await page.context().close()
}, 180_000)

afterAll(async () => {
  await hub?.[Symbol.asyncDispose]()
})

const SCREENS: Record<string, (page: Page) => Promise<void>> = {
  home: (page) => page.getByTestId('session-row').waitFor(),
  search: async (page) => {
    await page.getByRole('searchbox').fill('permission')
    await page.locator('mark').first().waitFor()
  },
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
  'new session settings': async (page) => {
    await page.getByRole('button', { name: /^Settings for this session/ }).click()
    await page.getByLabel('Working directory').waitFor()
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

for (const [size, screen] of Object.entries(SIZES)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`every screen is accessible on a ${size} in ${colorScheme}`, async () => {
      const options = { ...screen, colorScheme, reducedMotion: 'reduce' as const }
      const { page, faults } = await openPage(hub.origin, options)
      const found: Record<string, string[]> = {}
      const check = async (name: string) => {
        const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
        const wrong = [...(await violationsOf(page)), ...(isWide ? ['wider than the screen'] : [])]
        if (wrong.length > 0) found[name] = wrong
      }
      await page.goto(hub.origin)
      await page.getByRole('heading', { name: 'Sign in to Quayside' }).waitFor()
      await check('sign-in')
      await page.context().addCookies(cookies)

      for (const [name, open] of Object.entries(SCREENS)) {
        await page.goto(hub.origin)
        await page.getByRole('button', { name: /^Agent:/ }).waitFor()
        await open(page)
        await check(name)
      }
      for (const name of SETTINGS) {
        await page.goto(`${hub.origin}/settings/${name}`)
        await page.locator('h1.page-title').waitFor()
        await page.locator('.skeleton').first().waitFor({ state: 'detached' })
        await check(`settings/${name}`)
      }
      await page.goto(`${hub.origin}/settings`)
      await page.getByRole('link', { name: 'Storage' }).waitFor()
      await check('settings')
      await page.goto(`${hub.origin}/nowhere`)
      await page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
      await check('missing page')
      await page.goto(`${hub.origin}/welcome`)
      await page.getByText(/other agents you can install/).click()
      await check('welcome')

      expect(found).toEqual({})
      expect(faults.filter((fault) => !fault.includes('401'))).toEqual([])
    }, 180_000)
  }
}
