// The app when its hub does not answer, in a real browser with a real hub.
import { expect, test } from 'vitest'
import { HubProcess } from './hub-process.js'
import { openPage, SCREENS } from './test-browser.js'

test('the app can be installed, and opens without a hub, saying so', async () => {
  const hub = await HubProcess.start(['shop-api'])
  const { page } = await openPage(hub.origin, { ...SCREENS.desktop, serviceWorkers: 'allow' })
  await page.goto(hub.address)
  await page.getByRole('heading', { name: 'What should we build?' }).waitFor()
  const icons = await page.evaluate(async () => {
    const manifest = await (await fetch('/manifest.webmanifest')).json()
    const { icons } = manifest as { icons: { src: string }[] }
    return Promise.all(icons.map(async ({ src }) => (await fetch(src)).ok))
  })
  expect(icons.every(Boolean)).toBe(true)
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.reload()
  await page.getByRole('heading', { name: 'What should we build?' }).waitFor()
  const kept = await page.evaluate(async () => {
    const caches = await globalThis.caches.open('quayside-shell')
    return (await caches.keys()).map(({ url }) => new URL(url).pathname)
  })
  expect(kept.filter((path) => path !== '/' && !path.startsWith('/assets/'))).toEqual([])

  await hub[Symbol.asyncDispose]()
  await page.reload()
  await page.getByRole('heading', { name: 'Can’t reach the hub' }).waitFor()
})
