// What the tests of the session view share: a hub with a repository, and a page on a fresh session of the demo agent.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { HubProcess } from './hub-process.js'
import { launchBrowser, openPage, SCREENS, type WatchedPage } from './test-browser.js'

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

/** A browser and a hub for all tests of a file. */
export class SessionStage {
  #browser: Browser | undefined
  #hub: HubProcess | undefined
  /** The code in the printed address counts once. */
  #signedIn: StorageState | undefined

  constructor() {
    beforeAll(async () => {
      this.#browser = await launchBrowser()
      this.#hub = await HubProcess.start(['shop-api'])
      const { page } = await openPage(this.#browser, this.#hub.origin, SCREENS.desktop)
      await page.goto(this.#hub.address)
      await page.getByRole('heading', { name: 'What should we build?' }).waitFor()
      this.#signedIn = await page.context().storageState()
    }, 180_000)
    afterAll(async () => {
      await this.#browser?.close()
      await this.#hub?.[Symbol.asyncDispose]()
    })
  }

  async open(): Promise<WatchedPage> {
    const { origin } = this.#hub!
    const options = { ...SCREENS.desktop, storageState: this.#signedIn! }
    const watched = await openPage(this.#browser!, origin, options)
    await watched.page.goto(origin)
    await watched.page.getByRole('button', { name: 'Start a session in shop-api' }).click()
    await watched.page.getByText('Demo agent is ready. What').waitFor()
    return watched
  }
}

/** Sessions that are over make room for the next one. */
export async function end(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const path = `/api/sessions/${location.pathname.split('/').at(-1)}`
    await fetch(path, { method: 'DELETE' })
  })
}

export async function send(page: Page, text: string): Promise<void> {
  await page.getByTestId('composer-input').fill(text)
  await page.getByTestId('send').click()
}

export function said(page: Page, text: string) {
  return page.getByTestId('msg-agent').getByText(text)
}

export function distanceFromEnd(page: Page): Promise<number> {
  return page
    .getByRole('log')
    .evaluate(
      ({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight,
    )
}
