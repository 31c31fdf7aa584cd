// What axe-core finds wrong with a page as it is now, in words; nothing when it is fine.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

type Wish = {
  /** A selector, where the rest of the page has its own tests. */
  readonly within?: string
  /** True where agents write: nobody can promise the order of their headings. */
  readonly isOnlyWcag?: boolean
}

export async function violationsOf(
  page: Page,
  { within = 'html', isOnlyWcag = false }: Wish = {},
): Promise<string[]> {
  const tags = isOnlyWcag ? WCAG : [...WCAG, 'best-practice']
  // Not as a script element: the hub's policy would refuse it.
  await page.evaluate(source)
  return page.evaluate(
    async ({ within, tags }) => {
      const { axe: checker } = globalThis as unknown as { axe: typeof axe }
      const { violations } = await checker.run(within, { runOnly: { type: 'tag', values: tags } })
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
      )
    },
    { within, tags },
  )
}
