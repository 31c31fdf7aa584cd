// Shared by the tests of the session page: a hub with a repository, and a page on a new session of the demo agent.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { HubProcess } from './hub-process.js'
import { ReusedPages } from './reused-pages.js'
import { SCREENS, type WatchedPage } from './test-browser.js'

/** A hub for all tests of a file. */
export class SessionStage {
  readonly #pages: ReusedPages
  #hub: HubProcess | undefined

  constructor() {
    beforeAll(async () => {
      this.#hub = await HubProcess.start(['shop-api'])
    }, 180_000)
    afterAll(() => this.#hub?.[Symbol.asyncDispose]())
    // The last hook runs first.
    this.#pages = new ReusedPages()
  }

  /** The page of the tests before, on a new session, in a signed-in browser. */
  async open(): Promise<WatchedPage> {
    const hub = this.#hub!
    const [{ id }, storageState] = [await hub.newSession('shop-api'), await hub.signIn()]
    const options = { ...SCREENS.desktop, storageState }
    const watched = await this.#pages.open(hub.origin, `/s/${id}`, options)
    await watched.page.getByText('Demo agent is ready. What').waitFor()
    return watched
  }
}

/** Ends the session, which makes room for the next one. */
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
