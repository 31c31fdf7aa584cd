// Pages in which the tests of a file go on one after the other: to open a page costs more processor time than most tests.
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, onTestFinished } from 'vitest'
import { recordFor, reportOn, type Report } from './page-report.js'
import { openLastingPage, type PageOptions, type WatchedPage } from './test-browser.js'

export type ReusedOptions = PageOptions & {
  /** True: the test intercepts requests, adds scripts, installs a clock or opens more pages, so its page is closed with it. */
  readonly isOwnPage?: boolean
  /** Called before the first address is opened. */
  readonly prepare?: (context: BrowserContext) => Promise<unknown>
}

type LastingPage = Awaited<ReturnType<typeof openLastingPage>> & { readonly report: Report }

export class ReusedPages {
  readonly #pages = new Map<string, LastingPage>()

  constructor() {
    afterAll(async () => {
      for (const { page } of this.#pages.values()) await page.context().close()
      this.#pages.clear()
    })
  }

  /** A page at this path: the one of an earlier test with the same options, with an empty storage, or a new one. A failed test closes its page. */
  async open(
    origin: string,
    path: string,
    { isOwnPage = false, prepare, ...options }: ReusedOptions,
  ): Promise<WatchedPage> {
    const key = JSON.stringify([origin, options])
    const found = isOwnPage ? undefined : this.#pages.get(key)
    if (found) {
      this.#closeAfterFailure(found, key)
      await startAfresh(found, path, options)
      return found
    }
    const opened = await openLastingPage(origin, options)
    const context = opened.page.context()
    if (isOwnPage) await reportOn(context, origin)
    else {
      const lasting = { ...opened, report: await recordFor(context, origin) }
      this.#pages.set(key, lasting)
      this.#closeAfterFailure(lasting, key)
    }
    await prepare?.(context)
    await opened.page.goto(`${origin}${path}`)
    return opened
  }

  #closeAfterFailure({ page, report }: LastingPage, key: string): void {
    onTestFinished(async ({ task }) => {
      if (!(await report(task))) return
      this.#pages.delete(key)
      await page.context().close()
    })
  }
}

async function startAfresh(
  { page, faults }: LastingPage,
  path: string,
  { viewport, colorScheme = 'light' }: PageOptions,
): Promise<void> {
  if (viewport) await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.evaluate(forgetAndGo, path)
  faults.length = 0
}

/** Navigates without loading the page, as the back button does. */
export async function goTo(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, address)
}

/** Runs in the page. */
function forgetAndGo(path: string): void {
  localStorage.clear()
  localStorage.setItem('quayside.preferences', '{"isWelcomed":true}')
  // As after a change in another tab, and after a step back.
  dispatchEvent(new StorageEvent('storage', { key: null }))
  history.pushState(null, '', path)
  dispatchEvent(new PopStateEvent('popstate'))
}
