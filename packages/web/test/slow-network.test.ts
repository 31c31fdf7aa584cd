// First use from afar: the bytes that a phone on a slow network receives before it can write to an agent.
import type { CDPSession } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HubProcess } from './hub-process.js'
import { openPage, SCREENS } from './test-browser.js'

const KB = 1_000
/** 1.6 Mbit/s and 150 ms, as "slow 4G" of browsers' developer tools. */
const SLOW_4G = { latency: 150, downloadThroughput: 200 * KB, uploadThroughput: 94 * KB }

let hub: HubProcess

beforeAll(async () => {
  hub = await HubProcess.start(['shop-api'])
}, 180_000)

afterAll(() => hub?.[Symbol.asyncDispose]())

test('a message can be written after 150 kB on a slow network, before fonts and other pages arrive', async () => {
  const { page, faults } = await openPage(hub.origin, {
    ...SCREENS.phone,
    storageState: await hub.signIn(),
  })
  const network = await page.context().newCDPSession(page)
  const received = await countBytes(network)
  await network.send('Network.emulateNetworkConditions', { offline: false, ...SLOW_4G })
  const first = await (await fetch(hub.origin)).text()
  await page.route('**/assets/**', async (route) => {
    const { pathname } = new URL(route.request().url())
    // Everything else waits for `unroute`.
    if (first.includes(pathname)) await route.continue()
  })

  await page.goto(hub.origin, { waitUntil: 'commit' })
  const field = page.getByRole('textbox', { name: 'Message to the agent' })
  await field.fill('echo hello')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.waitForURL(/\/s\/[^/]+$/)
  expect(received()).toBeGreaterThan(100 * KB)
  expect(received()).toBeLessThan(150 * KB)

  await page.unroute('**/assets/**')
  await page.getByRole('log').getByText('hello').last().waitFor()
  expect(faults).toEqual([])
})

test('an address of a session loads its page without waiting for the sign-in', async () => {
  const { id } = await hub.newSession('shop-api')
  const { page } = await openPage(hub.origin, { storageState: await hub.signIn() })
  // Waits for `unroute`.
  await page.route('**/api/me', () => {})
  const sessionPage = page.waitForResponse(/assets\/session-page-.*\.js/)
  await page.goto(`${hub.origin}/s/${id}`, { waitUntil: 'commit' })
  await sessionPage
  await page.unroute('**/api/me')
  await page.getByRole('textbox', { name: 'Message to the agent' }).waitFor()
})

test('a page whose script cannot be loaded says so, and a retry shows it', async () => {
  const { id } = await hub.newSession('shop-api')
  const { page } = await openPage(hub.origin, { storageState: await hub.signIn() })
  await page.route(/assets\/session-page-.*\.js/, (route) => route.abort())
  await page.goto(`${hub.origin}/s/${id}`)
  await page.getByText('This page could not be loaded.').waitFor()
  await page.unroute(/assets\/session-page-.*\.js/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('textbox', { name: 'Message to the agent' }).waitFor()
})

/** The bytes of all responses as they were transferred. */
async function countBytes(network: CDPSession): Promise<() => number> {
  let sum = 0
  network.on('Network.dataReceived', ({ encodedDataLength }) => (sum += encodedDataLength))
  await network.send('Network.enable')
  return () => sum
}
