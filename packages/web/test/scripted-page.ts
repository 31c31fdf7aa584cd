// The real page with the hub's real policy, connected to a ScriptedHub.
import { randomUUID } from 'node:crypto'
import { ScriptedHub } from '@quayside/client/testing'
import type { BrowserContext } from 'playwright-core'
import { beforeAll } from 'vitest'
import { servePage } from '../../hub/test/page-server.js'
import { openPage, type PageOptions, type WatchedPage } from './test-browser.js'

/** Tells the server which hub is the one of a browser context. */
const COOKIE = 'scripted-hub'

const hubs = new Map<string, ScriptedHub>()

/** Shared by all test files of a worker. */
let served: Promise<string> | undefined

function serve(): Promise<string> {
  served ??= servePage(({ headers: { cookie = '' } }) =>
    hubs.get(new RegExp(`${COOKIE}=([^;]+)`).exec(cookie)?.[1] ?? ''),
  )
  return served
}

/** An origin that serves the page, for all tests of a file. */
export class Stage {
  #origin = ''

  constructor() {
    beforeAll(async () => {
      this.#origin = await serve()
    })
  }

  get origin(): string {
    return this.#origin
  }

  open(options: PageOptions): Promise<WatchedPage> {
    return openPage(this.origin, options)
  }
}

/** Connects the scripted hub to all pages of a context. It is a real server: to intercept requests costs more. */
export async function useScriptedHub(
  context: BrowserContext,
  hub = new ScriptedHub(),
): Promise<ScriptedHub> {
  const id = randomUUID()
  hubs.set(id, hub)
  context.on('close', () => hubs.delete(id))
  await context.addCookies([{ name: COOKIE, value: id, url: await serve() }])
  return hub
}
