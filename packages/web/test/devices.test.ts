// Devices in a real browser with a real hub: pairing, tokens, and the limits of each scope.
import type { CreatedToken, LoginCode, Scope } from '@quayside/protocol'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pathWith, TAILNET_NAME } from '../../hub/test/stand-ins.js'
import { HubProcess } from './hub-process.js'
import { goTo } from './reused-pages.js'
import { openPage, SCREENS } from './test-browser.js'

const folder = mkdtempSync(join(tmpdir(), 'quayside-devices-'))
/** With a tailscale that leads nowhere yet. */
const PATH = pathWith(folder, 'tailscale')

let hub: HubProcess
/** Signed in as admin. */
let admin: Page
let faults: readonly string[]

beforeAll(async () => {
  hub = await HubProcess.start(['shop-api'], { PATH })
  const watched = await openPage(hub.origin, SCREENS.desktop)
  admin = watched.page
  faults = watched.faults
  await admin.goto(hub.address)
  await admin.getByRole('button', { name: 'Work in shop-api' }).waitFor()
}, 180_000)

afterAll(async () => {
  await admin?.context().close()
  await hub?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

function post<Answer>(path: string, body: unknown): Promise<Answer> {
  return admin.evaluate(
    async ([address, text]) => {
      const headers = { 'content-type': 'application/json' }
      return (await fetch(address!, { method: 'POST', headers, body: text! })).json()
    },
    [path, JSON.stringify(body)],
  )
}

/** Another browser, signed in with this scope. */
async function openAs(scope: Scope, path: string) {
  const { code } = await post<LoginCode>('/api/login-codes', { scope, name: `${scope}er` })
  const watched = await openPage(hub.origin, SCREENS.desktop)
  await watched.page.goto(`${hub.origin}${path}#code=${code}`)
  return watched
}

async function openAccess(): Promise<void> {
  // From another page, so that it has nothing of the test before.
  await goTo(admin, '/settings/about')
  await admin.getByRole('heading', { name: 'Devices & access' }).waitFor({ state: 'detached' })
  await goTo(admin, '/settings/access')
  await admin.getByRole('heading', { name: 'Devices & access' }).waitFor()
}

test('as long as no phone can reach the hub, there is a step to take and no QR code', async () => {
  await openAccess()
  const ways = admin.getByRole('list', { name: 'Ways to this hub' })
  await ways.getByText(/ remote tailscale$/).waitFor()
  await ways.getByText(/ start --host 0\.0\.0\.0 --tls$/).waitFor()
  await admin.getByText('No phone can reach this hub yet.').waitFor()
  await admin.getByRole('button', { name: 'Make a link' }).click()
  await admin.getByText('This link works on this computer only').waitFor()
  await expect.poll(() => admin.getByRole('img', { name: /^QR code/ }).count()).toBe(0)
  await admin.getByRole('button', { name: 'Cancel link' }).click()
})

test('a phone is let in by a QR code or link that works once, is listed, and is shut out again', async () => {
  await openAccess()
  // As `quayside remote tailscale` does.
  const { port } = new URL(hub.origin)
  await promisify(execFile)(join(folder, 'bin/tailscale'), ['serve', '--bg', port])
  const headers = { 'content-type': 'application/json' }
  await admin.evaluate(([path, init]) => fetch(path, init), [
    `/api/hosts/${TAILNET_NAME}`,
    { method: 'PUT', headers, body: '{}' },
  ] as const)
  await admin.getByRole('button', { name: 'Check again' }).click()
  await admin.getByRole('radio', { name: 'Tailscale' }).waitFor()
  await admin.getByLabel('Name').first().fill('Pixel 9')
  await admin.getByRole('button', { name: 'Make a link' }).click()
  const code = admin.getByRole('img', { name: /^QR code/ })
  await code.waitFor()
  expect((await code.locator('path').getAttribute('d'))?.length).toBeGreaterThan(1_000)
  await admin.getByText(/9:\d\d left/).waitFor()
  const shown = await admin.getByText(/#code=/).innerText()
  expect(shown).toContain(`https://${TAILNET_NAME}/#code=`)
  // The name leads nowhere here.
  const link = shown.replace(`https://${TAILNET_NAME}`, hub.origin)

  const { page: phone } = await openPage(hub.origin, SCREENS.phone)
  await phone.goto(link)
  await phone.getByRole('textbox', { name: 'Message to the agent' }).waitFor()
  await admin.getByText('The link was used').waitFor()
  const row = admin.getByTestId('device').filter({ hasText: 'Pixel 9' })
  await row.getByText('Browser · Write · added now').waitFor()
  await expect.poll(() => admin.getByTestId('device').first().innerText()).toContain('This one')

  await row.getByRole('button', { name: 'Revoke Pixel 9' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await row.waitFor({ state: 'detached' })
  await phone.getByRole('heading', { name: 'Sign in to Quayside' }).waitFor()
  await phone.goto(link)
  await phone.getByText('This code is no longer valid').waitFor()
  expect(faults).toEqual([])
})

test('a cancelled link signs no one in', async () => {
  await openAccess()
  await admin.getByRole('button', { name: 'Make a link' }).click()
  const shown = await admin.getByText(/#code=/).innerText()
  const link = shown.replace(`https://${TAILNET_NAME}`, hub.origin)
  await admin.getByRole('button', { name: 'Cancel link' }).click()
  await admin.getByText('Link cancelled.').waitFor()

  const { page: phone } = await openPage(hub.origin, SCREENS.phone)
  await phone.goto(link)
  await phone.getByText('This code is no longer valid').waitFor()
})

test('a token is shown once, works, and stops when it is revoked', async () => {
  await openAccess()
  const form = admin.locator('section').filter({ hasText: 'New token' })
  await form.getByLabel('Name').fill('dashboard')
  await form.getByLabel('Access').selectOption({ label: 'Read' })
  await form.getByRole('button', { name: 'Make a token' }).click()
  const token = await form.getByLabel('The new token').innerText()
  const ask = async () => {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`${hub.origin}/api/me`, { headers })).status
  }
  expect(await ask()).toBe(200)
  await form.getByRole('button', { name: 'Done' }).click()
  await form.getByRole('button', { name: 'Make a token' }).waitFor()

  const row = admin.getByTestId('device').filter({ hasText: 'dashboard' })
  await row.getByText('Token · Read').waitFor()
  await row.getByRole('button', { name: 'Revoke' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await row.waitFor({ state: 'detached' })
  expect(await ask()).toBe(401)
})

test('signing out and revoking the own browser both end the sign-in', async () => {
  const { page } = await openAs('write', '/settings/access')
  await page.getByText('Only admins can manage access.').waitFor()
  await expect.poll(() => page.getByTestId('device').count()).toBe(0)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to Quayside' }).waitFor()

  const { page: other } = await openAs('admin', '/settings/access')
  const own = other.getByTestId('device').filter({ hasText: 'This one' })
  await own.getByRole('button', { name: 'Revoke' }).click()
  await other.getByText('you are signed out at once').waitFor()
  await other.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await other.getByRole('heading', { name: 'Sign in to Quayside' }).waitFor()
})

/** A session with a pending decision and a queued prompt. */
async function waitingSession(): Promise<string> {
  await goTo(admin, '/')
  await admin.getByRole('textbox', { name: 'Message to the agent' }).fill('permission')
  await admin.getByRole('button', { name: 'Send', exact: true }).click()
  await admin.getByRole('region', { name: 'Needs your decision' }).waitFor()
  await admin.getByRole('textbox', { name: 'Message to the agent' }).fill('echo later')
  await admin.getByRole('button', { name: 'Send', exact: true }).click()
  await admin.getByTestId('queue').waitFor()
  return new URL(admin.url()).pathname
}

test('a reader sees everything, why there is no composer, and can change nothing', async () => {
  const path = await waitingSession()
  const { page, faults: readerFaults } = await openAs('read', path)
  const options = page.getByTestId('decision-option')
  await options.first().waitFor()
  for (const option of await options.all()) await expect.poll(() => option.isDisabled()).toBe(true)
  await page.getByText('View only: this sign-in can’t message the agent.').waitFor()
  await expect.poll(() => page.getByTestId('composer').count()).toBe(0)
  await page.keyboard.press('1')
  await expect.poll(() => page.getByTestId('queue').getByRole('button').count()).toBe(0)
  await expect.poll(() => page.getByRole('link', { name: 'New session' }).count()).toBe(0)

  await page.getByRole('button', { name: /^Actions for/ }).click()
  const entries = await page.getByRole('menuitem').allInnerTexts()
  expect(entries.filter((entry) => /Rename|Pin|Archive|Remove|End|Settings/.test(entry))).toEqual(
    [],
  )
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Shift+E')
  await page.getByText('Only admins can use terminals.').waitFor()

  await goTo(page, '/')
  await page.getByRole('heading', { name: 'View only' }).waitFor()
  await goTo(page, '/settings/agents')
  await page.getByText('Only admins can change agents.').waitFor()
  await page.getByTestId('agent').first().waitFor()
  await expect.poll(() => page.getByRole('button', { name: /Check/ }).count()).toBe(0)
  await goTo(page, '/settings/processes')
  await page.getByText('Demo agent').first().waitFor()
  await expect.poll(() => page.getByRole('button', { name: /^Stop/ }).count()).toBe(0)
  expect(readerFaults).toEqual([])
})

test('a writer works with agents, without settings, terminals and the list of devices', async () => {
  const path = await waitingSession()
  const { page, faults: writerFaults } = await openAs('write', path)
  await page.getByTestId('decision-option').first().click()
  await page.getByTestId('decision-dock').waitFor({ state: 'detached' })
  await page.getByRole('log').getByText('later').last().waitFor()
  await page.keyboard.press('Control+Shift+E')
  await page.getByText('Only admins can use terminals.').waitFor()
  await goTo(page, '/settings/agents')
  await page.getByRole('button', { name: 'Check again' }).first().waitFor()
  await expect.poll(() => page.locator('summary', { hasText: 'Settings' }).count()).toBe(0)
  await goTo(page, '/settings/storage')
  await page.getByText('Sessions and their events').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Preview' }).count()).toBe(0)
  expect(writerFaults).toEqual([])
})

test('a revoked device’s page asks for a sign-in, whatever it shows', async () => {
  const { page } = await openAs('read', '/')
  await page.getByRole('heading', { name: 'View only' }).waitFor()
  const tokens = await admin.evaluate(
    async () => (await (await fetch('/api/tokens')).json()) as { tokens: CreatedToken[] },
  )
  const { id } = tokens.tokens.findLast(({ name }) => name.startsWith('reader'))!
  await admin.evaluate((one) => fetch(`/api/tokens/${one}`, { method: 'DELETE' }), id)
  await page.getByRole('heading', { name: 'Sign in to Quayside' }).waitFor()
})
