// The real page with the hub's real policy, connected to a ScriptedHub.
import { ScriptedHub } from '@quayside/client/testing'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { beforeAll } from 'vitest'
import { servePage } from '../../hub/test/page-server.js'
import { openPage, type PageOptions, type WatchedPage } from './test-browser.js'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Shared by all test files of a worker. */
let served: Promise<string> | undefined

/** An origin that serves the page and no hub, for all tests of a file. */
export class Stage {
  #origin = ''

  constructor() {
    beforeAll(async () => {
      served ??= servePage()
      this.#origin = await served
    })
  }

  get origin(): string {
    return this.#origin
  }

  open(options: PageOptions): Promise<WatchedPage> {
    return openPage(this.origin, options)
  }
}

/** Connects the scripted hub to a page, or to all pages of a context. */
export async function useScriptedHub(
  pages: Page | BrowserContext,
  hub = new ScriptedHub(),
): Promise<ScriptedHub> {
  await pages.route(/\/media\//, (route) =>
    route.fulfill({ contentType: 'image/png', body: PIXEL }),
  )
  await pages.route(/\/api\//, (route) => answer(hub, route))
  await pages.routeWebSocket(/\/ws$/, (browser) => {
    const socket = new hub.WebSocket('ws://hub.test/ws', { headers: {} })
    const ready = new Promise<void>((resolve) => socket.addEventListener('open', () => resolve()))
    socket.addEventListener('message', ({ data }) => browser.send(String(data)))
    socket.addEventListener('close', () => void browser.close())
    browser.onMessage((message) => void ready.then(() => socket.send(String(message))))
  })
  return hub
}

async function answer(hub: ScriptedHub, route: Route): Promise<void> {
  // Offline: no request arrives anywhere.
  if (!hub.isUp) return route.abort('internetdisconnected')
  const request = route.request()
  const body = request.postData()
  const answer = await hub.fetch(request.url(), {
    method: request.method(),
    ...(body !== null && { body }),
  })
  const headers = { 'content-type': 'application/json' }
  await route.fulfill({ status: answer.status, headers, body: await answer.text() })
}
