// Test pages that record faults. One Chromium serves all test files of a worker.
import { chromium } from 'playwright-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { findChromium } from '../../../scripts/tools/browser.mjs'
import { reportOn } from './page-report.js'

export const SCREENS = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} satisfies Record<string, BrowserContextOptions>

let launched: Promise<Browser> | undefined

/** Launched on first use. It exits with the worker, which closes its pipe. */
async function sharedBrowser(): Promise<Browser> {
  launched ??= findChromium().then((options) => chromium.launch(options))
  const browser = await launched
  if (browser.isConnected()) return browser
  launched = undefined
  return sharedBrowser()
}

export type WatchedPage = {
  readonly page: Page
  /** Console errors, uncaught exceptions, policy violations and requests to other origins, as texts. */
  readonly faults: readonly string[]
}

export type PageOptions = BrowserContextOptions & {
  /** True: the page shows the first visit. */
  readonly isFirstVisit?: boolean
}

/** Off by default to save processor time: animations and the service worker. */
const STILL = { reducedMotion: 'reduce', serviceWorkers: 'block' } as const

/** A page in its own browser context, which is closed at the end of its test. */
export async function openPage(origin: string, options: PageOptions): Promise<WatchedPage> {
  const watched = await openLastingPage(origin, options)
  await reportOn(watched.page.context(), origin)
  return watched
}

type LastingPage = WatchedPage & { readonly faults: string[] }

/** The caller closes its context. */
export async function openLastingPage(
  origin: string,
  { isFirstVisit = false, ...options }: PageOptions,
): Promise<LastingPage> {
  const browser = await sharedBrowser()
  const context = await browser.newContext({ ...STILL, ...options })
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

/** Runs in the page before any of its scripts. */
function beWelcomed(): void {
  // Pages that are not of the app, and sandboxed frames, may have no storage.
  if (!location.protocol.startsWith('http') || origin === 'null') return
  const key = 'quayside.preferences'
  localStorage.setItem(key, localStorage.getItem(key) ?? '{"isWelcomed":true}')
}
