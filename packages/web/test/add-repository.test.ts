// Adding a repository on the page: from outside of the root folders after a confirmation, and by an address that is cloned.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { violationsInBothSchemes } from './accessible.js'
import { HubProcess } from './hub-process.js'
import { goTo, ReusedPages } from './reused-pages.js'
import { SCREENS } from './test-browser.js'

let hub: HubProcess
beforeAll(async () => {
  hub = await HubProcess.start(['shop-api'])
}, 180_000)
afterAll(() => hub?.[Symbol.asyncDispose]())
// The last hook runs first.
const pages = new ReusedPages()

async function open(path: string) {
  const options = { ...SCREENS.desktop, storageState: await hub.signIn() }
  return pages.open(hub.origin, path, options)
}

async function dialogOf(page: Page) {
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a repository' })
  return { dialog, field: dialog.getByRole('textbox', { name: 'Folder path or address' }) }
}

test('a repository outside of the root folders is added after a confirmation, and removed in the settings', async () => {
  const elsewhere = await mkdtemp(join(await realpath(tmpdir()), 'quayside-elsewhere-'))
  onTestFinished(() => rm(elsewhere, { recursive: true, force: true }))
  const folder = join(elsewhere, 'other-shop')
  await promisify(execFile)('git', ['init', '--quiet', folder])
  const { page, faults } = await open('/')
  const { dialog, field } = await dialogOf(page)
  await field.fill(folder)
  await dialog.getByRole('button', { name: 'Add repository' }).click()
  await dialog.getByText('outside of the hub’s root folders').waitFor()
  expect(await violationsInBothSchemes(page)).toEqual([])
  await dialog
    .getByRole('button', { name: 'Add it anyway' })
    .and(page.locator(':not([aria-disabled])'))
    .click()
  await page.getByRole('button', { name: 'Repository: other-shop' }).waitFor()

  await goTo(page, '/settings/repositories')
  await page.getByRole('button', { name: `Remove ${folder}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Added from outside').waitFor({ state: 'detached' })
  await expect.poll(() => page.getByText(folder).count()).toBe(0)
  // The first request is refused, and then confirmed.
  expect(faults.filter((fault) => !fault.includes('403'))).toEqual([])
})

test('an address is cloned with progress, can be cancelled, and becomes the chosen repository', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void silent.close())
  await once(silent, 'listening')
  const { page, faults } = await open('/')
  const { dialog, field } = await dialogOf(page)
  await field.fill(`git://127.0.0.1:${(silent.address() as AddressInfo).port}/silent`)
  await dialog.getByRole('button', { name: 'Clone repository' }).click()
  await dialog.getByRole('progressbar').waitFor()
  expect(await violationsInBothSchemes(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel cloning' }).click()
  await dialog.getByRole('progressbar').waitFor({ state: 'detached' })
  await expect.poll(() => readdir(hub.root)).toEqual(['shop-api'])

  const source = join(hub.root, '.source', 'cloned-shop')
  await mkdir(join(hub.root, '.source'))
  await promisify(execFile)('git', ['clone', '--quiet', join(hub.root, 'shop-api'), source])
  await field.fill(`file://${source}`)
  await dialog.getByRole('button', { name: 'Clone repository' }).click()
  await page.getByText('Added cloned-shop.').waitFor()
  await page.getByRole('button', { name: 'Repository: cloned-shop' }).waitFor()
  expect(faults).toEqual([])
})

test('the settings of a repository are saved, and shown again', async () => {
  const { page, faults } = await open('/settings/repositories')
  const settings = page.getByRole('button', { name: 'Settings of shop-api' })
  await settings.click()
  const dialog = page.getByRole('dialog', { name: 'Settings of shop-api' })
  await dialog.getByLabel('New sessions work in').selectOption('worktree')
  const include = dialog.getByRole('textbox', { name: /^Files that git does not track/ })
  await include.fill('.env\nlocal/')
  await dialog.getByRole('textbox', { name: /^Check command/ }).fill('npm test')
  expect(await violationsInBothSchemes(page, { within: 'dialog' })).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.reload()
  await settings.click()
  const check = dialog.getByRole('textbox', { name: /^Check command/ })
  await expect.poll(() => check.inputValue()).toBe('npm test')
  await expect.poll(() => include.inputValue()).toBe('.env\nlocal/')
  await expect.poll(() => dialog.getByLabel('New sessions work in').inputValue()).toBe('worktree')
  expect(faults).toEqual([])
})
