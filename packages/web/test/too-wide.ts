import type { Page } from 'playwright-core'

/** A page that must be scrolled sideways does not fit its screen. */
export function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
}
