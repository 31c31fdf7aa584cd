// axe-core finds nothing to complain about in any panel: in both themes, beside the conversation and on a phone.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsOf } from './accessible.js'
import { PanelStory } from './panel-story.js'
import { launchBrowser, SCREENS } from './test-browser.js'

const WIDE = { viewport: { width: 1440, height: 900 } }

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
}, 180_000)
afterAll(() => browser?.close())

test.each([
  ['desktop', WIDE],
  ['phone', SCREENS.phone],
])(
  'every panel on a %s is accessible',
  async (_name, screen) => {
    await using story = await PanelStory.begin(browser, screen)
    const { page } = story
    await story.edit('src/prices.ts')

    await story.openPanel('Changes')
    await page.getByRole('list', { name: 'Changed files' }).waitFor()
    await expectAccessible(page, 'changed files')
    await page.locator('.panel-body').getByRole('button', { name: 'src/prices.ts' }).click()
    await page.locator('.patch-line').first().waitFor()
    await expectAccessible(page, 'a diff')

    await story.openPanel('Terminals')
    await page.getByText('No terminals yet.').waitFor()
    await expectAccessible(page, 'no terminals')
    await page.getByRole('button', { name: 'Open a terminal' }).click()
    await story.type(
      String.raw`printf '\033[31mred \033[34mblue \033[90mgrey \033[0m%s\n' colo""urs`,
    )
    await story.printed('colours')
    await page.getByRole('button', { name: 'Close terminal' }).click()
    await expectAccessible(page, 'a terminal that is about to be closed')
    await page.getByRole('button', { name: 'Keep it' }).click()

    await story.openPanel('Files')
    await page.locator('.panel-body').getByRole('button', { name: 'prices.ts' }).waitFor()
    await expectAccessible(page, 'the list of files')
    await page.locator('.panel-body').getByRole('button', { name: 'prices.ts' }).click()
    await page.locator('.hl-keyword').first().waitFor()
    await expectAccessible(page, 'a file')

    await story.openPanel('Wire')
    await page.getByRole('button', { name: 'session/prompt' }).first().click()
    await page.locator('.wire-message').waitFor()
    await expectAccessible(page, 'the wire')
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
  },
  120_000,
)

async function expectAccessible(page: Page, what: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const found = await violationsOf(page, { within: '.panel' })
    expect({ what, colorScheme, found }).toEqual({ what, colorScheme, found: [] })
  }
}
