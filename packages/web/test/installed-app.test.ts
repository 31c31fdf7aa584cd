// The installed app in a real browser with a real hub: push notifications, sharing, and new versions.
import { createServer, request as forward, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import type { BrowserContext, CDPSession, Page, WebSocket, Worker } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PushedDevice, PushService } from '../../hub/test/push-service.js'
import { HubProcess } from './hub-process.js'
import { goTo } from './reused-pages.js'
import { openPage, SCREENS, type PageOptions, type WatchedPage } from './test-browser.js'

let service: PushService
let hub: HubProcess
let context: BrowserContext
let page: Page
let faults: readonly string[]
const sockets: WebSocket[] = []

function openApp(origin: string, options: PageOptions): Promise<WatchedPage> {
  return openPage(origin, { ...options, serviceWorkers: 'allow' })
}

beforeAll(async () => {
  service = await PushService.start()
  hub = await HubProcess.start(['shop-api'], { QUAYSIDE_PUSH_ORIGINS: service.origin })
  const watched = await openApp(hub.origin, SCREENS.desktop)
  page = watched.page
  faults = watched.faults
  context = page.context()
  page.on('websocket', (socket) => sockets.push(socket))
  await page.goto(hub.address)
  await page.getByRole('button', { name: 'Work in shop-api' }).waitFor()
  // The service worker controls the next page.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
}, 180_000)

afterAll(async () => {
  await context?.close()
  await hub?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

/** The push service is a local stand-in for the browser vendor's; everything behind it is real. */
async function usePushService(device: PushedDevice): Promise<void> {
  await page.addInitScript((given) => {
    const key = new TextEncoder().encode('another key')
    const made = {
      options: { applicationServerKey: key.buffer },
      toJSON: () => given,
      unsubscribe: () => Promise.resolve(true),
    }
    // Headless Chromium grants the permission but still reports it as denied.
    Object.defineProperty(Notification, 'permission', { get: () => 'granted', configurable: true })
    Object.assign(PushManager.prototype, {
      getSubscription: () => Promise.resolve(null),
      subscribe: () => Promise.resolve(made),
    })
  }, device.subscription())
}

async function pushChannel(): Promise<{ cdp: CDPSession; registrationId: string }> {
  const cdp = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(hub.origin))
      if (own) resolve(own.registrationId)
    })
  })
  await cdp.send('ServiceWorker.enable')
  return { cdp, registrationId: await registered }
}

/** Headless Chromium shows no notifications, so the worker's calls are recorded instead. */
async function keepShown(): Promise<Worker> {
  const [worker] = context.serviceWorkers()
  await worker!.evaluate(() => {
    const shown: unknown[] = []
    Reflect.set(globalThis, 'shown', shown)
    ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
      shown.push({ title, ...options })
    }
  })
  return worker!
}

/** Subscribes another device, which proves that the hub sent alerts. */
async function anotherDevice(): Promise<PushedDevice> {
  const other = service.newDevice()
  const token = await page.evaluate(async () => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'tablet', scope: 'read' })
    const made = await fetch('/api/tokens', { method: 'POST', headers, body })
    return ((await made.json()) as { token: string }).token
  })
  const answer = await fetch(`${hub.origin}/api/push/subscription`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(other.subscription()),
  })
  expect(answer.status).toBe(204)
  return other
}

test('alerts reach a device without a visible page, and a click opens the session', async () => {
  const device = service.newDevice()
  await context.grantPermissions(['notifications'], { origin: hub.origin })
  await usePushService(device)
  await page.goto(`${hub.origin}/settings/notifications`)
  await page.getByRole('switch', { name: 'Notify me on this device' }).click()
  await page.getByText('even when Quayside is closed').waitFor()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('Sent. It should appear').waitFor()
  expect((await device.next()).message).toEqual({ kind: 'test' })

  const other = await anotherDevice()
  await goTo(page, '/')
  await page.getByRole('textbox', { name: 'Message to the agent' }).fill('permission')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('region', { name: 'Needs your decision' }).waitFor()
  const path = new URL(page.url()).pathname
  await other.next()
  expect(device.unread).toBe(0)
  await hide()
  await page.getByTestId('decision-option').first().click()
  const { message } = await device.next()
  expect(message).toMatchObject({ kind: 'finished', title: 'permission' })

  await page.goto(hub.origin)
  const worker = await keepShown()
  const { cdp, registrationId } = await pushChannel()
  const data = JSON.stringify(message)
  await cdp.send('ServiceWorker.deliverPushMessage', { origin: hub.origin, registrationId, data })
  await expect
    .poll(() => worker.evaluate(() => Reflect.get(globalThis, 'shown') as object[]))
    .toMatchObject([{ title: 'permission', body: 'Is done', tag: path }])
  // A page that is still opening receives it too, as soon as the worker knows it instead of the one before.
  const [before] = await pagesOf(worker)
  await page.goto(hub.origin, { waitUntil: 'commit' })
  await expect.poll(() => pagesOf(worker)).toEqual([expect.not.stringMatching(before!)])
  await worker.evaluate(() => {
    const [{ data: given }] = Reflect.get(globalThis, 'shown') as [{ data: unknown }]
    const notification = { data: given, close: () => {} }
    const click = Object.assign(new Event('notificationclick'), { notification, waitUntil() {} })
    dispatchEvent(click)
  })
  await page.waitForURL(`${hub.origin}${path}`)
  expect(faults).toEqual([])
})

/** The ids of the pages that a click on a notification can open. */
function pagesOf(worker: Worker): Promise<string[]> {
  return worker.evaluate(async () => {
    const { clients } = globalThis as unknown as WorkerScope
    const options = { type: 'window', includeUncontrolled: true }
    return (await clients.matchAll(options)).map(({ id }) => id)
  })
}

type WorkerScope = { readonly clients: { matchAll(options: object): Promise<{ id: string }[]> } }

/** Hides the page as another tab in front of it would, and waits until the hub knows. */
async function hide(): Promise<void> {
  const socket = sockets.at(-1)!
  const answered: unknown[] = []
  socket.on('framereceived', ({ payload }) => answered.push(idIn(payload)))
  const sent = socket.waitForEvent('framesent', ({ payload }) =>
    String(payload).includes('page/visible'),
  )
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  const asked = idIn((await sent).payload)
  await expect.poll(() => answered).toContain(asked)
}

function idIn(payload: string | Buffer): unknown {
  return (JSON.parse(String(payload)) as { id?: unknown }).id
}

test('without notifications the switch shows the reason and the next step', async () => {
  const { page: other } = await openApp(hub.origin, SCREENS.phone)
  await other.context().addCookies(await context.cookies())
  await other.goto(`${hub.origin}/settings/about`)
  const says = async (text: string, pretend: () => void) => {
    await other.evaluate(pretend)
    await goTo(other, '/settings/notifications')
    await other.getByText(text).waitFor()
    await goTo(other, '/settings/about')
  }
  await says('This browser blocks notifications', () => {
    Object.defineProperty(Notification, 'permission', { get: () => 'denied', configurable: true })
  })
  await says('This browser doesn’t support notifications', () => {
    Reflect.deleteProperty(globalThis, 'Notification')
  })
  await says('add Quayside to the Home Screen first', () => {
    Object.defineProperty(navigator, 'standalone', { value: false })
  })
  await says('Notifications need HTTPS or localhost', () => {
    Object.defineProperty(globalThis, 'isSecureContext', { value: false })
  })
  await goTo(other, '/settings/notifications')
  await other.getByText('Notifications need HTTPS or localhost').waitFor()
  await expect
    .poll(() => other.getByRole('switch', { name: 'Notify me on this device' }).count())
    .toBe(0)
})

test('content that another app shares becomes the draft of a new session, with its image', async () => {
  const { share_target: target } = await page.evaluate(
    async () =>
      (await (await fetch('/manifest.webmanifest')).json()) as {
        share_target: { action: string; method: string }
      },
  )
  expect(target).toMatchObject({ action: '/share', method: 'POST' })
  const address = await page.evaluate(async (action) => {
    const canvas = new OffscreenCanvas(8, 8)
    canvas.getContext('2d')
    const form = new FormData()
    form.set('title', 'echo a bug')
    form.set('url', 'https://example.com/bug')
    form.append('pictures', await canvas.convertToBlob({ type: 'image/png' }), 'bug.png')
    return (await fetch(action, { method: 'POST', body: form })).url
  }, target.action)
  expect(address).toBe(`${hub.origin}/new?shared=1`)

  await goTo(page, address)
  const box = page.getByRole('textbox', { name: 'Message to the agent' })
  await expect.poll(() => box.inputValue()).toBe('echo a bug\nhttps://example.com/bug')
  await page.getByTestId('foreign-text').getByText('Another app or site shared this.').waitFor()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.waitForURL(/\/s\/[^/]+$/)
  await page.getByRole('log').locator('img').first().waitFor()
  await expect.poll(() => page.evaluate(() => caches.has('quayside-shared'))).toBe(false)
})

test('a new version of the hub is reported, and the page does not reload by itself', async () => {
  const { page: old } = await openApp(hub.origin, SCREENS.desktop)
  await old.context().addCookies(await context.cookies())
  await old.route('**/api/health', (route) =>
    route.fulfill({ json: { status: 'ok', version: '99.0.0' } }),
  )
  await old.goto(hub.origin)
  await old.getByText('The hub was updated.').waitFor()
  const loaded = old.waitForEvent('load')
  await old.getByRole('button', { name: 'Reload' }).click()
  await loaded
})

test('a new version waits until someone wants it', async () => {
  await using proxy = await NewerPages.start(new URL(hub.origin).port)
  const { page: open } = await openApp(proxy.origin, SCREENS.desktop)
  await open.goto(hub.address.replace(hub.origin, proxy.origin))
  await open
    .context()
    .addCookies(
      (await context.cookies()).map(({ name, value }) => ({ name, value, url: proxy.origin })),
    )
  await open.goto(proxy.origin)
  await open.getByRole('button', { name: 'Work in shop-api' }).waitFor()
  await open.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await open.reload()
  const first = await open.evaluate(() => navigator.serviceWorker.controller !== null)
  expect(first).toBe(true)

  proxy.build = 2
  await open.evaluate(async () => {
    await (await navigator.serviceWorker.ready).update()
  })
  await open.getByText('A new version is ready.').waitFor()
  const loaded = open.waitForEvent('load')
  await open.getByRole('button', { name: 'Reload' }).click()
  await loaded
  await open.getByRole('button', { name: 'Work in shop-api' }).waitFor()
  const waiting = await open.evaluate(async () => (await navigator.serviceWorker.ready).waiting)
  expect(waiting).toBeNull()
  await expect.poll(() => open.getByText('A new version is ready.').count()).toBe(0)
})

/** The hub, with a new build of its service worker whenever `build` changes. */
class NewerPages implements AsyncDisposable {
  build = 1
  readonly #server: Server

  private constructor(hubPort: string) {
    this.#server = createServer((incoming, outgoing) => {
      const { method, url: path } = incoming
      // Disables HTTP caching, so that the browser always compares the bytes.
      const { 'if-none-match': _, 'if-modified-since': __, ...headers } = incoming.headers
      const target = { host: '127.0.0.1', port: hubPort, method, headers, path }
      const asked = forward(target, (answer) => {
        const isWorker = path === '/service-worker.js'
        if (isWorker) delete answer.headers['content-length']
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.on('data', (piece) => outgoing.write(piece))
        answer.on('end', () => outgoing.end(isWorker ? `\n// ${this.build}` : undefined))
      })
      asked.on('error', () => outgoing.destroy())
      incoming.pipe(asked)
    })
    this.#server.on('upgrade', (request, socket) => {
      const wire = connect(Number(hubPort), '127.0.0.1')
      const head = Object.entries(request.headers).map(
        ([name, value]) => `${name}: ${String(value)}\r\n`,
      )
      wire.write(`GET ${request.url} HTTP/1.1\r\n${head.join('')}\r\n`)
      wire.on('error', () => socket.destroy()).pipe(socket)
      socket.on('error', () => wire.destroy()).pipe(wire)
    })
  }

  static async start(hubPort: string): Promise<NewerPages> {
    const pages = new NewerPages(hubPort)
    pages.#server.listen(0, '127.0.0.1')
    await once(pages.#server, 'listening')
    return pages
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}
