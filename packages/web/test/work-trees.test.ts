// Sessions with a work tree of their own in a real browser: two on one repository, from the first prompt to the merge.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsInBothSchemes } from './accessible.js'
import { HubProcess } from './hub-process.js'
import { goTo, ReusedPages } from './reused-pages.js'
import { SCREENS, type WatchedPage } from './test-browser.js'

const OWN = 'Own work tree from main'

let hub: HubProcess
beforeAll(async () => {
  hub = await HubProcess.start(['shop-api'])
  git('config', 'user.name', 'Test')
  git('config', 'user.email', 'test@localhost')
  writeFileSync(at('.git/hooks/pre-commit'), '#!/bin/sh\necho checked by a hook\n', { mode: 0o755 })
}, 180_000)
afterAll(() => hub?.[Symbol.asyncDispose]())
// The last hook runs first.
const pages = new ReusedPages()

const at = (path: string) => join(hub.root, 'shop-api', path)

function git(...args: readonly string[]): string {
  return execFileSync('git', ['-C', at('.'), ...args], { encoding: 'utf8', stdio: 'pipe' }).trim()
}

async function openHome(screen: BrowserContextOptions): Promise<WatchedPage> {
  const options = { ...screen, storageState: await hub.signIn() }
  const watched = await pages.open(hub.origin, '/', options)
  await watched.page.getByRole('button', { name: 'Work tree: ' }).waitFor()
  return watched
}

async function send(page: Page, text: string): Promise<void> {
  await page.getByTestId('composer-input').fill(text)
  await page.getByTestId('send').click()
}

/** The agent edits the file, as the first task of a session with a work tree of its own or as a later one. */
async function begin(page: Page, file: string): Promise<void> {
  await send(page, `edit ${file}`)
  await allow(page)
}

async function allow(page: Page): Promise<void> {
  const decision = page.getByRole('region', { name: 'Needs your decision' })
  await decision.getByRole('button', { name: 'Allow', exact: false }).first().click()
  await page.getByTestId('status-pill').getByText('Idle').waitFor()
}

async function chooseTree(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole('button', { name: `Work tree: ${from}` }).click()
  await page.getByRole('option', { name: to }).click()
}

function branchButton(page: Page) {
  return page.getByRole('button', { name: /^Branch quayside\// })
}

/** Opens the dialog of an item of the branch's menu. */
async function step(page: Page, item: string) {
  await branchButton(page).click()
  await page.getByRole('menuitem', { name: item }).click()
  return page.getByRole('dialog')
}

test('two sessions work on one repository at the same time without mixing', async () => {
  const { page, faults } = await openHome(SCREENS.desktop)
  await chooseTree(page, 'Shared work tree', OWN)
  await send(page, 'edit one.txt')
  await page.getByRole('region', { name: 'Needs your decision' }).waitFor()
  const first = page.url()
  expect(await violationsInBothSchemes(page, { within: '.session-head' })).toEqual([])
  // The choice is remembered for the repository.
  await goTo(page, '/')
  await page.getByRole('button', { name: `Work tree: ${OWN}` }).waitFor()
  await send(page, 'edit two.txt')
  await page.getByRole('region', { name: 'Needs your decision' }).waitFor()
  const second = page.url()
  // Both turns run now.
  for (const url of [first, second]) {
    await goTo(page, url)
    await allow(page)
  }

  await page.getByTestId('composer-input').fill('Look at @')
  const files = page.getByRole('listbox').getByRole('option')
  await files.getByText('two.txt').waitFor()
  await expect.poll(() => files.getByText('one.txt').count()).toBe(0)
  await goTo(page, `${page.url()}/files`)
  await page.getByRole('list', { name: 'In this repository' }).getByText('two.txt').click()
  await page.getByRole('group', { name: 'Content of two.txt' }).getByText('Edited').waitFor()
  await page.getByRole('tab', { name: 'Changes' }).click()
  await page.getByRole('combobox', { name: 'Changes since' }).selectOption('Working tree')
  await page.getByRole('tabpanel').getByText('two.txt').first().waitFor()
  expect(git('status', '--porcelain')).toBe('')
  expect(faults).toEqual([])
})

test('the work of a session is committed with a drafted message and squashed into main', async () => {
  const { page, faults } = await openHome(SCREENS.desktop)
  await chooseTree(page, 'Shared work tree', OWN)
  await begin(page, 'done.txt')
  const dialog = await step(page, 'Bring into main…')
  await dialog.getByRole('button', { name: 'Bring in' }).click()
  await dialog.getByRole('group', { name: 'Files' }).getByText('done.txt').waitFor()
  await dialog.getByRole('button', { name: 'Commit…' }).click()
  const message = dialog.getByRole('textbox', { name: 'Commit message' })
  await expect.poll(() => message.inputValue()).toBe('edit done.txt')
  await message.fill('Add it')
  await dialog.getByRole('button', { name: 'Commit', exact: true }).click()
  await dialog
    .getByRole('group', { name: /^Output/ })
    .getByText('checked by a hook')
    .waitFor()
  expect(await violationsInBothSchemes(page, { within: 'dialog' })).toEqual([])
  await dialog.getByRole('button', { name: 'Bring into main…' }).click()
  await dialog.getByRole('radio', { name: 'Squash' }).check()
  // A draft that arrives while the field is being filled would stay in it.
  await expect.poll(() => message.inputValue()).toBe('edit done.txt')
  await message.fill('Squashed work')
  expect(await violationsInBothSchemes(page, { within: 'dialog' })).toEqual([])
  await dialog.getByRole('button', { name: 'Bring in' }).click()
  await dialog.getByText(/^main is now at /).waitFor()
  expect(git('log', '-1', '--format=%s')).toBe('Squashed work')
  expect([existsSync(at('done.txt')), existsSync(at('two.txt'))]).toEqual([true, false])
  // The refusal of uncommitted changes is an answer of the hub, which the browser reports.
  expect(faults.filter((fault) => !fault.includes('409'))).toEqual([])
})

test('on a phone a conflict is handed to the agent, and a discarded work tree is kept as a reference', async () => {
  const { page, faults } = await openHome(SCREENS.phone)
  expect(await violationsInBothSchemes(page)).toEqual([])
  await chooseTree(page, 'Shared work tree', 'Own work tree, other branch…')
  const named = page.getByRole('dialog', { name: 'Begin from another branch' })
  await named.getByRole('textbox', { name: 'Name of the branch' }).fill('main')
  await named.getByRole('button', { name: 'Choose' }).click()
  await begin(page, 'README.md')
  expect(await violationsInBothSchemes(page, { within: '.session-head' })).toEqual([])
  const { width } = SCREENS.phone.viewport
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)

  const dialog = await step(page, 'Commit…')
  await dialog.getByRole('button', { name: 'Commit', exact: true }).click()
  await dialog.getByText(/^The last commit is /).waitFor()
  writeFileSync(at('README.md'), '# Somebody else\n')
  git('commit', '-qam', 'Meanwhile')
  await dialog.getByRole('button', { name: 'Bring into main…' }).click()
  await dialog.getByRole('button', { name: 'Bring in' }).click()
  await dialog.getByText('1 file conflicts with main.').waitFor()
  expect(await violationsInBothSchemes(page, { within: 'dialog' })).toEqual([])
  await dialog.getByRole('button', { name: 'Let the agent resolve it' }).click()
  await dialog.waitFor({ state: 'detached' })
  // The message itself may be above the shown part of the conversation by now.
  await expect.poll(() => messagesIn(page)).toContain('resolve the conflicts in')
  await allow(page)
  await page.getByTestId('msg-agent').getByText('Merged main.').waitFor()
  await step(page, 'Bring into main…')
  await dialog.getByRole('button', { name: 'Bring in' }).click()
  await dialog.getByText(/^main is now at /).waitFor()
  expect(git('log', '-1', '--format=%s')).toBe("Merge branch 'quayside/edit-readme-md' into main")
  expect(readFileSync(at('README.md'), 'utf8')).toContain('Edited by the Quayside demo agent.')
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  await begin(page, 'later.txt')
  await step(page, 'Discard…')
  await dialog.getByRole('button', { name: 'Discard', exact: true }).click()
  const kept = await dialog.getByText(/^refs\/quayside\/kept\//).innerText()
  expect(git('show', `${kept}:later.txt`)).toContain('Edited')
  expect(existsSync(at('later.txt'))).toBe(false)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByText('Work tree removed').waitFor()
  await page.getByText('You can read the session, but not continue it.').waitFor()
  await expect.poll(() => page.getByTestId('composer-input').count()).toBe(0)
  expect(faults.filter((fault) => !fault.includes('409'))).toEqual([])
})

test('the title of a session with a branch and an allowance can be read in a low window and beside a panel', async () => {
  const { page, faults } = await openHome({ viewport: { width: 720, height: 450 } })
  await chooseTree(page, 'Shared work tree', OWN)
  await begin(page, 'describe.txt')
  await hub.call('PATCH', new URL(page.url()).pathname.replace('/s/', '/api/sessions/'), {
    title: 'Describe the servers of the production network',
    settings: { permissions: { mode: 'auto', rules: [] } },
  })
  await page.getByTestId('allowing').waitFor()
  await expect.poll(() => isCut(page, '.session-name-button')).toBe(false)
  // A tablet's width with the list of sessions, and a phone's.
  for (const [width, height] of [
    [960, 600],
    [412, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expect.poll(() => shownShare(page, '.session-name-button')).toBeGreaterThan(0.6)
  }
  // No rule allows a path outside of the repository.
  await page.setViewportSize({ width: 320, height: 568 })
  await send(page, 'run cat /etc/hostname')
  await page.getByRole('region', { name: 'Needs your decision' }).waitFor()
  const scrolled = () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight)
  await expect.poll(scrolled).toBe(0)
  await page.setViewportSize({ width: 1440, height: 900 })
  await goTo(page, `${page.url()}/changes`)
  await page.getByTestId('allowing').waitFor()
  await expect.poll(() => isCut(page, '.workspace-name')).toBe(false)
  await expect.poll(() => isCut(page, '.session-name-button')).toBe(false)
  expect(faults).toEqual([])
})

/** True when the text of the element ends with an ellipsis. */
function isCut(page: Page, selector: string): Promise<boolean> {
  return page.locator(selector).evaluate((shown) => shown.scrollWidth > shown.clientWidth)
}

/** The part of the element's text that fits: 1 for all of it. */
function shownShare(page: Page, selector: string): Promise<number> {
  return page.locator(selector).evaluate((shown) => shown.clientWidth / shown.scrollWidth)
}

/** The messages of the session on the page, as the hub has them. */
function messagesIn(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const path = `/api/sessions/${location.pathname.split('/')[2]}/messages`
    return (await fetch(path)).text()
  })
}
