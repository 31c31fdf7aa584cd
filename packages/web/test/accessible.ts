// The violations that axe-core finds on the current page, as texts.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** The rules whose result depends on colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

type CheckOptions = {
  /** A selector, when other tests cover the rest of the page. */
  readonly within?: string
  /** For agents' texts, whose headings the page does not control. */
  readonly isOnlyWcag?: boolean
}

export async function violationsOf(
  page: Page,
  { within = 'html', isOnlyWcag = false }: CheckOptions = {},
): Promise<string[]> {
  const values = isOnlyWcag ? WCAG : [...WCAG, 'best-practice']
  return runAxe(page, within, { type: 'tag', values })
}

/** All rules in the light scheme; the colour rules in the dark scheme, which has the same elements. */
export async function violationsInBothSchemes(
  page: Page,
  options: CheckOptions = {},
): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  const light = await violationsOf(page, options)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  const rules: axe.RunOnly = { type: 'rule', values: COLOUR_RULES }
  const dark = await runAxe(page, options.within ?? 'html', rules)
  return [...light.map((text) => `light: ${text}`), ...dark.map((text) => `dark: ${text}`)]
}

async function runAxe(page: Page, within: string, runOnly: axe.RunOnly): Promise<string[]> {
  // Not as a script element, which the hub's policy would block.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  return page.evaluate(
    async ({ within, runOnly }) => {
      const { axe: checker } = globalThis as unknown as { axe: typeof axe }
      const { violations } = await checker.run(within, { runOnly, resultTypes: ['violations'] })
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
      )
    },
    { within, runOnly },
  )
}
