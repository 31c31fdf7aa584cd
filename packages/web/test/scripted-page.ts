// The real page, served by a real hub with its real policy, but with a scripted hub behind it.
import { ScriptedHub } from '@quayside/client/testing'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { HubProcess } from './hub-process.js'
import { launchBrowser, openPage, type PageOptions, type WatchedPage } from './test-browser.js'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A browser and a hub without repositories, for all tests of a file. */
export class Stage {
  #browser: Browser | undefined
  #server: HubProcess | undefined

  constructor() {
    beforeAll(async () => {
      this.#browser = await launchBrowser()
      this.#server = await HubProcess.start([])
    }, 180_000)
    afterAll(async () => {
      await this.#browser?.close()
      await this.#server?.[Symbol.asyncDispose]()
    })
  }

  get origin(): string {
    return this.#server!.origin
  }

  open(options: PageOptions): Promise<WatchedPage> {
    return openPage(this.#browser!, this.origin, options)
  }
}

export async function useScriptedHub(page: Page, hub = new ScriptedHub()): Promise<ScriptedHub> {
  await page.route(/\/media\//, (route) => route.fulfill({ contentType: 'image/png', body: PIXEL }))
  await page.route(/\/api\//, async (route) => {
    const request = route.request()
    const body = request.postData()
    const answer = await hub.fetch(request.url(), {
      method: request.method(),
      ...(body !== null && { body }),
    })
    const headers = { 'content-type': 'application/json' }
    await route.fulfill({ status: answer.status, headers, body: await answer.text() })
  })
  await page.routeWebSocket(/\/ws$/, (browser) => {
    const socket = new hub.WebSocket('ws://hub.test/ws', { headers: {} })
    const ready = new Promise<void>((resolve) => socket.addEventListener('open', () => resolve()))
    socket.addEventListener('message', ({ data }) => browser.send(String(data)))
    socket.addEventListener('close', () => void browser.close())
    browser.onMessage((message) => void ready.then(() => socket.send(String(message))))
  })
  return hub
}
