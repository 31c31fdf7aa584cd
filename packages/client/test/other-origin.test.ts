// A real browser with a page of another origin: it uses the SDK with a token, if the hub lists its origin.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestHub, TOKEN, type TestHub } from '../../hub/test/test-hub.js'
import { openPage } from '../../web/test/test-browser.js'
import { bundle } from './bundle.js'
import type { PageCall } from './other-origin-page.js'

let hub: TestHub
let listed: string
let unlisted: string
const servers: ReturnType<typeof createServer>[] = []

beforeAll(async () => {
  const code = await bundle('other-origin-page.ts')
  const html = `<!doctype html><title>Another page</title><script type="module">${code}</script>`
  const serve = async (): Promise<string> => {
    const server = createServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html),
    )
    servers.push(server)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  listed = await serve()
  unlisted = await serve()
  hub = await startTestHub({ sharesAgent: true, env: { QUAYSIDE_ORIGINS: listed } })
})

afterAll(async () => {
  for (const server of servers) server.close()
  await hub?.[Symbol.asyncDispose]()
})

async function open(origin: string): Promise<Page> {
  const { page } = await openPage(origin, {})
  await page.goto(origin)
  return page
}

function connect(page: Page, call: PageCall): Promise<string> {
  return page.evaluate(
    (given) =>
      (globalThis as unknown as { connect(call: PageCall): Promise<string> }).connect(given),
    call,
  )
}

test('a page of a listed origin runs a turn with a token, and reads events by fetch', async () => {
  const page = await open(listed)
  const call = { url: hub.hub.address, token: TOKEN }
  const { text, stream } = await page.evaluate(
    (given) =>
      (
        globalThis as unknown as {
          run(call: PageCall): Promise<{ text: string; stream: string }>
        }
      ).run(given),
    call,
  )
  expect(text).toBe('Hello from another origin')
  expect(stream).toContain('"type":"session.created"')
  expect(await connect(page, { url: call.url, token: `${TOKEN}x` })).toBe('unauthorized')
})

test('the cookie of a signed-in browser opens nothing for a page of another origin', async () => {
  const page = await open(listed)
  const { hash } = new URL(hub.hub.signInAddress())
  const signedIn = await page.context().request.post(`${hub.hub.address}/api/login`, {
    data: { code: hash.replace('#code=', '') },
  })
  expect(signedIn.status()).toBe(204)
  expect(await page.context().cookies()).toHaveLength(1)

  expect(await connect(page, { url: hub.hub.address })).toBe('unauthorized')
})

test('a page of an origin that is not listed reaches nothing, with a token either', async () => {
  const page = await open(unlisted)

  expect(await connect(page, { url: hub.hub.address, token: TOKEN })).toBe('unreachable')
})
