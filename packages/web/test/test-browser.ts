// A browser for tests that remembers everything a page must not do.
import { chromium } from 'playwright-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { findChromium } from '../../../scripts/browser.mjs'

export const SCREENS = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} satisfies Record<string, BrowserContextOptions>

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch(await findChromium())
}

export type WatchedPage = {
  readonly page: Page
  /** Console errors, uncaught exceptions, policy violations and requests to other origins, in words. */
  readonly faults: readonly string[]
}

export type PageOptions = BrowserContextOptions & {
  /** True: the page greets as it greets someone who was never here. */
  readonly isFirstVisit?: boolean
}

export async function openPage(
  browser: Browser,
  origin: string,
  { isFirstVisit = false, ...options }: PageOptions,
): Promise<WatchedPage> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const faults: string[] = []
  if (!isFirstVisit) await page.addInitScript(beWelcomed)
  page.on('console', (message) => {
    if (message.type() === 'error')
      faults.push(`console: ${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => faults.push(`exception: ${error.message}`))
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.origin !== origin && url.protocol !== 'data:') faults.push(`request: ${url.href}`)
  })
  page.on('websocket', (socket) => {
    if (new URL(socket.url()).host !== new URL(origin).host) faults.push(`socket: ${socket.url()}`)
  })
  await page.exposeFunction('reportViolation', (text: string) => faults.push(`policy: ${text}`))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const report: unknown = Reflect.get(globalThis, 'reportViolation')
      if (typeof report === 'function') report(`${event.violatedDirective} ${event.blockedURI}`)
    })
  })
  return { page, faults }
}

/** In the page, before anything of it runs. */
function beWelcomed(): void {
  // Pages that are no pages of the app may have no storage.
  if (!location.protocol.startsWith('http')) return
  const key = 'quayside.preferences'
  localStorage.setItem(key, localStorage.getItem(key) ?? '{"isWelcomed":true}')
}
