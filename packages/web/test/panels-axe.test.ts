// axe-core finds no violation in any panel: in both themes, beside the conversation and on a phone.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { violationsInBothSchemes } from './accessible.js'
import { PanelStage } from './panel-story.js'
import { SCREENS } from './test-browser.js'
import { isTooWide } from './too-wide.js'

const WIDE = { viewport: { width: 1440, height: 900 } }

const stage = new PanelStage()

test.each([
  ['desktop', WIDE],
  ['phone', SCREENS.phone],
])(
  'every panel on a %s is accessible',
  async (_name, screen) => {
    await using story = await stage.begin(screen)
    const { page } = story
    await story.edit('src/prices.ts')

    await story.openPanel('Changes')
    await page.getByRole('list', { name: 'Changed files' }).waitFor()
    await expectAccessible(page, 'changed files')
    const files = page.getByRole('list', { name: 'Changed files' })
    await files.getByRole('button', { name: /src\/ ?prices\.ts/ }).click()
    await page.locator('.patch-line').first().waitFor()
    await page.locator('.patch-line .line-number').first().click()
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.getByRole('textbox', { name: 'Comment on src/prices.ts' }).fill('Why?')
    await expectAccessible(page, 'a diff with a comment')
    await page.getByRole('button', { name: 'Add comment' }).click()

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
    await expect.poll(() => isTooWide(page)).toBe(false)
  },
  120_000,
)

async function expectAccessible(page: Page, what: string): Promise<void> {
  const found = await violationsInBothSchemes(page, { within: '.panel' })
  expect({ what, found }).toEqual({ what, found: [] })
}
