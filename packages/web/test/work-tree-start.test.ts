// A work tree of its own in a real browser: its progress, its place in the panels, the default of a repository, and its pull request.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Repo, SessionSummary } from '@quayside/protocol'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsInBothSchemes } from './accessible.js'
import { HubProcess } from './hub-process.js'
import { goTo, ReusedPages, type ReusedOptions } from './reused-pages.js'
import { SCREENS, type WatchedPage } from './test-browser.js'

const OWN = 'Own work tree from main'
const REPOS = ['held', 'pushed', 'terminals', 'by-default']

let hub: HubProcess
let programs: string
/** While this file is there, the stand-in for git writes no files. */
let hold: string
beforeAll(async () => {
  programs = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-programs-')))
  hold = join(programs, 'hold')
  const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  const report = `printf 'Updating files:  43%% (860/2000)\\r' >&2`
  const wait = `while [ -e '${hold}' ]; do sleep 0.05; done`
  const isHeld = `[ -e '${hold}' ] && case " $* " in *' read-tree '*' -v '*) ${report}; ${wait};; esac`
  program('git', `${isHeld}\nexec '${git}' "$@"`)
  program('gh', 'printf "%s\\n" "$@"')
  const path = `${programs}:${process.env['PATH']}`
  hub = await HubProcess.start(REPOS, { PATH: path, AGENT_MAX_SESSIONS: '20' })
}, 180_000)
afterAll(async () => {
  await hub?.[Symbol.asyncDispose]()
  rmSync(programs, { recursive: true, force: true })
})
// The last hook runs first.
const pages = new ReusedPages()

function program(name: string, text: string): void {
  writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
}

function git(repo: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-C', join(hub.root, repo), ...args], { encoding: 'utf8' }).trim()
}

async function openHome(repo: string, screen: ReusedOptions): Promise<WatchedPage> {
  const options = { ...screen, storageState: await hub.signIn() }
  const watched = await pages.open(hub.origin, `/new?repo=${repo}&agent=demo`, options)
  await watched.page.getByRole('button', { name: 'Work tree: ' }).waitFor()
  return watched
}

async function send(page: Page, text: string): Promise<void> {
  await page.getByTestId('composer-input').fill(text)
  await page.getByTestId('send').click()
}

async function chooseTree(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole('button', { name: `Work tree: ${from}` }).click()
  await page.getByRole('option', { name: to }).click()
}

async function allow(page: Page): Promise<void> {
  const decision = page.getByRole('region', { name: 'Needs your decision' })
  await decision.getByRole('button', { name: 'Allow', exact: false }).first().click()
  await page.getByTestId('status-pill').getByText('Idle').waitFor()
}

test.each(['desktop', 'phone'] as const)(
  'on a %s the files are counted while a work tree is made, and its branch has the words of the prompt',
  async (name) => {
    const { page, faults } = await openHome('held', SCREENS[name])
    await chooseTree(page, 'Shared work tree', OWN)
    writeFileSync(hold, '')
    await send(page, `echo Greet the ${name}`)
    await page.getByText('860 of 2,000 files').waitFor()
    const bar = page.getByRole('progressbar')
    await expect.poll(() => bar.getAttribute('value')).toBe('860')
    expect(await violationsInBothSchemes(page, { within: '.waiting' })).toEqual([])
    const { width } = SCREENS[name].viewport
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    rmSync(hold)
    await page.getByRole('button', { name: `Branch quayside/echo-greet-the-${name}` }).waitFor()
    expect(faults).toEqual([])
  },
)

test('the default of the repository is chosen first, and the shared work tree is another choice', async () => {
  const { repos } = await hub.call<{ repos: Repo[] }>('GET', '/api/repos')
  const { id } = repos.find(({ name }) => name === 'by-default')!
  await hub.call('PATCH', `/api/repos/${id}`, { settings: { workspace: 'worktree' } })
  // An open page has read the settings before.
  const screen = { ...SCREENS.desktop, isOwnPage: true }
  const { page, faults } = await openHome('by-default', screen)
  await chooseTree(page, OWN, 'Shared work tree')
  await send(page, 'edit shared.txt')
  await allow(page)
  expect(git('by-default', 'status', '--porcelain')).toBe('?? shared.txt')
  expect(faults).toEqual([])
})

test('the terminals are those of the work tree, and others are named after their session', async () => {
  const { page, faults } = await openHome('terminals', SCREENS.desktop)
  await send(page, 'echo In the shared one')
  await page.getByTestId('status-pill').getByText('Idle').waitFor()
  const shared = page.url()
  await goTo(page, `${shared}/terminals`)
  await page.getByRole('button', { name: 'Open a terminal' }).click()
  const tabs = page.getByRole('tablist', { name: 'Terminals of this work tree' }).getByRole('tab')
  await expect.poll(() => tabs.count()).toBe(1)

  await goTo(page, '/new?repo=terminals&agent=demo')
  await chooseTree(page, 'Shared work tree', OWN)
  await send(page, 'echo In its own one')
  await page.getByTestId('status-pill').getByText('Idle').waitFor()
  await goTo(page, `${page.url()}/terminals`)
  await page.getByText('No terminals yet.').waitFor()
  await page.getByRole('button', { name: 'Open a terminal' }).click()
  await expect.poll(() => tabs.count()).toBe(1)
  const elsewhere = page.getByRole('combobox', { name: 'Elsewhere in this repository' })
  const [, other = ''] = await elsewhere.getByRole('option').allInnerTexts()
  expect(other).toContain('echo In the shared one')
  expect(await violationsInBothSchemes(page, { within: '.terminal-bar' })).toEqual([])
  await elsewhere.selectOption(other)
  await page.locator('.terminal-cwd').getByText(join(hub.root, 'terminals')).waitFor()

  await goTo(page, `${shared}/terminals`)
  await expect.poll(() => tabs.count()).toBe(1)
  await expect.poll(() => elsewhere.getByRole('option').last().innerText()).toContain('own one')
  expect(faults).toEqual([])
})

test.each(['desktop', 'phone'] as const)(
  'on a %s a pushed branch offers its pull request, which is changed and opened',
  async (name) => {
    const remote = join(hub.root, `../remote-${name}`)
    mkdirSync(remote)
    git('pushed', 'init', '--quiet', '--bare', remote)
    git('pushed', 'config', 'user.name', 'Test')
    git('pushed', 'config', 'user.email', 'test@localhost')
    git('pushed', 'config', 'remote.origin.url', remote)
    const { page, faults } = await openHome('pushed', SCREENS[name])
    await chooseTree(page, 'Shared work tree', OWN)
    await send(page, `edit ${name}.txt`)
    await allow(page)
    const dialog = page.getByRole('dialog')
    const step = async (item: string) => {
      await page.getByRole('button', { name: /^Branch quayside\// }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await step('Commit…')
    await dialog.getByRole('button', { name: 'Commit', exact: true }).click()
    await dialog.getByText(/^The last commit is /).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await step('Push…')
    await dialog.getByRole('button', { name: 'Push', exact: true }).click()
    const form = dialog.getByRole('form', { name: 'Pull request' })
    const title = form.getByRole('textbox', { name: 'Title' })
    await expect.poll(() => title.inputValue()).toBe(`edit ${name}.txt`)
    const body = form.getByRole('textbox', { name: 'Description' })
    await expect.poll(() => body.inputValue()).toBe(`- edit ${name}.txt`)
    expect(await violationsInBothSchemes(page, { within: 'dialog' })).toEqual([])
    await title.fill('A better title')
    await form.getByRole('button', { name: 'Open pull request' }).click()
    await dialog.getByText('The pull request is open.').waitFor()
    const output = await dialog.getByRole('group', { name: /^Output/ }).innerText()
    const branches = `--head quayside/edit-${name}-txt --base main`
    const texts = `--title A better title --body - edit ${name}.txt`
    expect(output.replaceAll('\n', ' ')).toBe(`pr create ${branches} ${texts}`)
    expect(faults).toEqual([])
  },
)

test('the question before a session is removed names the work that is kept', async () => {
  const { repos } = await hub.call<{ repos: Repo[] }>('GET', '/api/repos')
  const { id: repoId } = repos.find(({ name }) => name === 'held')!
  const created = await hub.call<SessionSummary>('POST', '/api/sessions', {
    repoId,
    title: 'Half done',
    settings: { workspace: 'worktree' },
  })
  writeFileSync(join(created.workspace!.path, 'half.txt'), 'half done\n')
  const options = { ...SCREENS.desktop, storageState: await hub.signIn() }
  const { page, faults } = await pages.open(hub.origin, `/s/${created.id}`, options)
  await page.getByRole('button', { name: 'Actions for Half done' }).first().click()
  await page.getByRole('menuitem', { name: 'Remove…' }).click()
  const dialog = page.getByRole('dialog')
  const reference = `refs/quayside/kept/${created.id}`
  await dialog.getByText(`uncommitted changes in 1 file. They are kept as ${reference}.`).waitFor()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => git('held', 'for-each-ref', reference)).toContain(reference)
  expect(faults).toEqual([])
})
