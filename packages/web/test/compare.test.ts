// One task for three agents in a real browser: chosen on the first page, followed side by side, and one of them taken; also on a phone.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Comparison, PendingPermission } from '@quayside/protocol'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsInBothSchemes } from './accessible.js'
import { HubProcess } from './hub-process.js'
import { openPage, SCREENS, type WatchedPage } from './test-browser.js'

const DEMO = fileURLToPath(new URL('../../demo-agent/bundle/main.js', import.meta.url))
const AGENTS = ['Anna', 'Bert', 'Cleo']

let hub: HubProcess
beforeAll(async () => {
  hub = await HubProcess.start(['shop-api'], { AGENT_MAX_SESSIONS: '20' })
  for (const name of AGENTS) {
    const agent = { name, command: process.execPath, args: [DEMO] }
    await hub.call('PUT', `/api/extensions/${name.toLowerCase()}`, agent)
  }
  await hub.call('POST', '/api/repos/scan', {})
  const { repos } = await hub.call<{ repos: { id: string }[] }>('GET', '/api/repos')
  const settings = { check: 'test -e made.txt' }
  await hub.call('PATCH', `/api/repos/${repos[0]!.id}`, { settings })
}, 180_000)
afterAll(() => hub?.[Symbol.asyncDispose]())

function git(...args: readonly string[]): string {
  const at = join(hub.root, 'shop-api')
  return execFileSync('git', ['-C', at, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim()
}

async function openHome(screen: BrowserContextOptions): Promise<WatchedPage> {
  const watched = await openPage(hub.origin, { ...screen, storageState: await hub.signIn() })
  await watched.page.goto(hub.origin)
  return watched
}

/** Chooses the agents and sends the task to all of them. */
async function compare(page: Page, task: string): Promise<Comparison> {
  await page.getByRole('button', { name: /^Agent: / }).click()
  await page.getByRole('button', { name: 'Compare agents…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Compare agents' })
  // The agent that was chosen before.
  await dialog.getByRole('checkbox', { name: 'Demo agent', checked: true }).uncheck()
  await dialog.getByRole('checkbox', { name: 'Anna' }).check()
  await expect.poll(() => dialog.getByRole('button', { name: 'Compare 1' }).isDisabled()).toBe(true)
  for (const name of AGENTS) await dialog.getByRole('checkbox', { name }).check()
  expect(await violationsInBothSchemes(page, { within: 'dialog' })).toEqual([])
  await dialog.getByRole('button', { name: 'Compare 3 agents' }).click()
  await page.getByRole('button', { name: 'Compare 3 agents' }).waitFor()
  await page.getByRole('button', { name: 'Work tree: Own work tree from main' }).waitFor()
  await page.getByTestId('composer-input').fill(task)
  await page.getByTestId('send').click()
  await page.waitForURL('**/compare/*')
  return hub.call('GET', `/api/comparisons/${page.url().split('/').at(-1)}`)
}

function card(page: Page, agent: string) {
  return page.getByRole('list', { name: 'Comparison' }).locator('> li').filter({ hasText: agent })
}

/** In the menu of the branch of the session that was taken. */
async function chooseInSession(page: Page, item: string): Promise<void> {
  await card(page, 'Bert').getByRole('link', { name: 'Open the session' }).click()
  await page.getByRole('button', { name: /^Branch quayside\/bert-edit-made-txt/ }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

async function allow(sessionId: string): Promise<void> {
  const at = `/api/sessions/${sessionId}/permissions`
  const { permissions } = await hub.call<{ permissions: PendingPermission[] }>('GET', at)
  await hub.call('POST', `${at}/${permissions[0]!.permissionId}`, { optionId: 'allow_once' })
}

test('three agents work side by side, and one of them is taken', async () => {
  const { page, faults } = await openHome(SCREENS.desktop)
  const { sessions } = await compare(page, 'edit made.txt')
  for (const name of AGENTS) await card(page, name).getByText('Needs you').waitFor()
  for (const { id } of sessions) await allow(id)
  for (const name of AGENTS) {
    await card(page, name).getByText('Done').waitFor()
    await card(page, name).getByText('1 file').waitFor()
    await card(page, name).getByText('Passed').waitFor()
    await card(page, name)
      .getByRole('group', { name: `Changes of ${name}` })
      .getByText('Edited')
      .waitFor()
  }
  expect(await violationsInBothSchemes(page, { within: '.main' })).toEqual([])
  const tops = await page
    .locator('.compared')
    .evaluateAll((cards) => cards.map((one) => one.getBoundingClientRect().top))
  expect(new Set(tops).size).toBe(1)

  await card(page, 'Bert').getByRole('button', { name: 'Take this one: Bert' }).click()
  const dialog = page.getByRole('dialog', { name: 'Take the work of Bert?' })
  await dialog.getByText('2 other sessions are ended and archived.').waitFor()
  expect(await violationsInBothSchemes(page, { within: 'dialog' })).toEqual([])
  await dialog.getByRole('button', { name: 'Take this one' }).click()
  await card(page, 'Bert').getByText('Taken').waitFor()
  for (const name of ['Anna', 'Cleo']) {
    await card(page, name).getByText('Given up').waitFor()
    const kept = await card(page, name).locator('.command').innerText()
    expect(git('show', `${kept}:made.txt`)).toContain('Edited')
  }
  await expect.poll(() => page.getByRole('button', { name: /^Take this one/ }).count()).toBe(0)
  expect(await violationsInBothSchemes(page, { within: '.main' })).toEqual([])
  expect(sessions.map(({ workspace }) => existsSync(workspace!.path))).toEqual([false, true, false])

  await chooseInSession(page, 'Compare with the others')
  await page.waitForURL('**/compare/*')
  await chooseInSession(page, 'Run the check')
  await page.waitForURL('**/terminals?terminal=*')
  expect(faults).toEqual([])
})

test('on a phone the agents are a list of cards', async () => {
  const { page, faults } = await openHome(SCREENS.phone)
  await compare(page, 'echo hello')
  for (const name of AGENTS) await card(page, name).getByText('Failed').waitFor()
  expect(await violationsInBothSchemes(page)).toEqual([])
  const { width } = SCREENS.phone.viewport
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  await card(page, 'Cleo').getByRole('button', { name: 'Take this one: Cleo' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Take this one' }).click()
  await card(page, 'Cleo').getByText('Taken').waitFor()
  expect(faults).toEqual([])
})
