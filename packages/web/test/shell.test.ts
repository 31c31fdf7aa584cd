// The shell in a real browser with a real hub: first visit, new sessions, list, settings, palette, themes, access.
import type { PendingPermission, SessionSummary } from '@quayside/protocol'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HubProcess } from './hub-process.js'
import { ReusedPages } from './reused-pages.js'
import { openPage, SCREENS, type PageOptions, type WatchedPage } from './test-browser.js'
import { isTooWide } from './too-wide.js'

/** Shared by all tests that can. */
let hub: HubProcess

beforeAll(async () => {
  hub = await HubProcess.start(['shop-api', 'web-store'], { AGENT_MAX_SESSIONS: '20' })
}, 180_000)

afterAll(() => hub?.[Symbol.asyncDispose]())
// The last hook runs first.
const pages = new ReusedPages()

test('the first visit shows the working agents, then the first task', async () => {
  const { page, faults } = await open('/', { ...SCREENS.desktop, isFirstVisit: true })
  await page.waitForURL(`${hub.origin}/welcome`)

  const demo = page.getByTestId('agent').filter({ hasText: 'Demo agent' })
  await demo.getByText(/^Ready · \d.* · start takes/).waitFor()
  await page.getByText('found 1 agent ready to use').waitFor()
  await page.getByText(/other agents you can install/).click()
  const gemini = page.getByTestId('agent').filter({ hasText: 'Gemini CLI' })
  await gemini.getByText('Not installed').waitFor()
  await gemini.getByText('npm install -g @google/gemini-cli').waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()

  await page.getByRole('heading', { name: 'What should we build?' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'What should we build?' }).waitFor()
  expect(page.url()).toBe(`${hub.origin}/`)
  expect(faults).toEqual([])
})

test('a session gets the settings that were chosen for it', async () => {
  const { page, faults } = await open('/')

  await page.getByRole('button', { name: /^Repository:/ }).click()
  await page
    .getByRole('listbox')
    .getByRole('option', { name: /^web-store/ })
    .click()
  await page.getByRole('button', { name: /^Settings for this session/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Mode', { exact: true }).selectOption({ label: 'Code' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await start(page, 'echo hello')

  const { settings, repo } = await hub.call<Detail>('GET', `/api${sessionOf(page)}`)
  expect(repo.name).toBe('web-store')
  expect(settings).toEqual({ mode: 'code' })
  expect(faults).toEqual([])
})

test('changes of other clients appear in the list; processes are listed and stopped, storage is looked at', async () => {
  await using lone = await HubProcess.start(['shop-api'])
  const storageState = await lone.signIn()
  const { page, faults } = await openPage(lone.origin, { ...SCREENS.desktop, storageState })
  await page.goto(lone.origin)
  await page.getByText('No sessions yet').waitFor()

  const path = `/api/sessions/${(await lone.newSession('shop-api')).id}`
  await lone.call('POST', `${path}/prompt`, { text: 'permission' })
  const row = page.getByTestId('session-row')
  await row.getByText('Needs your permission').waitFor()
  await page.waitForFunction(() => document.title.startsWith('(1) '))
  await expect.poll(() => iconOf(page)).toBe('/icon-attention.svg')

  const { permissions } = await lone.call<Asked>('GET', `${path}/permissions`)
  const [{ permissionId, options } = { permissionId: '', options: [] }] = permissions
  const { optionId } = options.find(({ kind }) => kind === 'allow_once') ?? {}
  await lone.call('POST', `${path}/permissions/${permissionId}`, { optionId })
  await row.getByText('New result').waitFor()
  await page.waitForFunction(() => !document.title.startsWith('('))
  await expect.poll(() => iconOf(page)).toBe('/icon-done.svg')
  await row.click()
  await expect.poll(() => iconOf(page)).toBe('/icon.svg')
  await row.getByText('Idle').waitFor()

  await send(page, 'slow 600')
  await row.getByText('Working').waitFor()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Processes' }).click()
  await page.getByRole('link', { name: 'permission' }).last().waitFor()
  await page.getByRole('button', { name: /^Stop Demo agent/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click()
  await page.getByText('Nothing is running.').waitFor()
  await row.getByText('Ended').waitFor()

  await page.getByRole('link', { name: 'Storage' }).click()
  await page.getByText('Sessions and their events').waitFor()
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('No session ended that long ago.').waitFor()
  expect(faults).toEqual([])
})

test('sessions are found by their messages, renamed, pinned, archived, restored and deleted', async () => {
  const id = await begin('echo the walrus sings')
  await begin('echo nothing to see')
  const { page, faults } = await open('/')
  const row = (name: string) => page.getByTestId('session-row').filter({ hasText: name })
  const other = row('echo nothing to see')
  await other.waitFor()

  await page.getByRole('searchbox').fill('walrus')
  await page.locator('mark', { hasText: 'walrus' }).first().waitFor()
  await other.waitFor({ state: 'detached' })
  await row('walrus').focus()
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'Session name' }).fill('Sea songs')
  await page.keyboard.press('Enter')
  await row('Sea songs').waitFor()
  await page.getByRole('searchbox').fill('')

  await choose(page, 'Sea songs', 'Pin')
  await page.getByRole('heading', { name: 'Pinned' }).waitFor()
  await expect
    .poll(() => page.getByTestId('session-row').first().innerText())
    .toContain('Sea songs')

  await choose(page, 'Sea songs', 'Archive')
  await row('Sea songs').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await row('Sea songs').waitFor()
  await choose(page, 'Sea songs', 'Archive')
  await row('Sea songs').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Archived', exact: true }).click()
  await row('Sea songs').waitFor()

  await choose(page, 'Sea songs', 'Remove…')
  await page.getByRole('dialog').getByText('can’t be restored').waitFor()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('No archived sessions.').waitFor()
  const path = '/api/sessions?archived=any'
  const { sessions } = await hub.call<{ sessions: { id: string }[] }>('GET', path)
  expect(sessions.map((session) => session.id)).not.toContain(id)
  await page.getByRole('button', { name: 'All', exact: true }).click()
  expect(faults).toEqual([])
})

test('both menus of a session end it as completed', async () => {
  const ids = [await begin('echo from the list'), await begin('echo from its page')]
  const { page, faults } = await open(`/s/${ids[1]}`)
  await choose(page, 'echo from the list', 'End session')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'End session' }).click()
  const endOf = async (id: string) => {
    const { status, metadata } = await hub.call<SessionSummary>('GET', `/api/sessions/${id}`)
    return { status, reason: metadata['reason'] }
  }
  const completed = { status: 'completed', reason: 'user_request' }
  for (const id of ids) await expect.poll(() => endOf(id)).toEqual(completed)
  expect(faults).toEqual([])
})

test('a key is stored in the hub and never returned', async () => {
  const { page } = await open('/settings/agents')
  await page.locator('summary', { hasText: 'Settings Claude Code' }).click()

  await page.getByLabel('Anthropic API key').fill('sk-secret')
  await page.getByRole('button', { name: 'Save and check' }).click()

  await page.getByPlaceholder('Set. Type to replace it.').waitFor()
  const path = '/api/extensions/claude/settings'
  const { settings } = await hub.call<{ settings: Record<string, unknown> }>('GET', path)
  expect(settings['ANTHROPIC_API_KEY']).toEqual({ isSet: true })
})

test('the palette finds sessions and does what the keys do', async () => {
  const id = await begin('echo the narwhal sings')
  const session = `${hub.origin}/s/${id}`
  const { page, faults } = await open(`/s/${id}`)
  await page.getByTestId('msg-agent').getByText('the narwhal sings').waitFor()
  // The list gets the title a little later than the conversation.
  await page.getByTestId('session-row').filter({ hasText: 'echo the narwhal sings' }).waitFor()
  await page.keyboard.press('Control+Shift+O')
  await page.waitForURL(`${hub.origin}/`)

  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  await palette.getByRole('combobox').fill('narwhal')
  await palette.getByText('In conversations').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(session)

  await page.keyboard.press('Control+k')
  await palette.getByRole('combobox').fill('theme dark')
  await page.keyboard.press('Enter')
  await palette.waitFor({ state: 'detached' })
  await expect.poll(() => backgroundOf(page)).toBe('rgb(19, 19, 18)')
  await page.keyboard.press('Control+k')
  await palette.getByRole('combobox').fill('web-store')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Repository: web-store' }).waitFor()
  await page.keyboard.press('Control+k')
  await palette.getByRole('combobox').fill('with demo')
  await palette.getByText('Start a session with Demo agent').click()
  await page.waitForURL(`${hub.origin}/new?agent=demo`)
  await page.keyboard.press('Alt+ArrowDown')
  await page.waitForURL(session)
  expect(faults).toEqual([])
})

test('the palette finds a session that is renamed meanwhile, and Enter opens a conversation without a title that matches', async () => {
  const id = await begin('echo the manatee dives')
  await hub.call('PATCH', `/api/sessions/${id}`, { title: 'Sea cows' })
  const { page, faults } = await open('/')
  await page.getByTestId('session-row').filter({ hasText: 'Sea cows' }).waitFor()

  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  await palette.getByRole('combobox').fill('dugong')
  await palette.getByText('No matches.').waitFor()
  await hub.call('PATCH', `/api/sessions/${id}`, { title: 'Dugongs' })
  await palette.getByRole('option', { name: 'Dugongs', selected: true }).waitFor()
  await palette.getByText('No matches.').waitFor({ state: 'detached' })

  await palette.getByRole('combobox').fill('manatee')
  await palette.getByRole('option', { name: 'the manatee dives', selected: true }).waitFor()
  await palette.getByText('No matches.').waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === `/s/${id}`)
  expect(faults).toEqual([])
})

test('on a phone the sessions are the first page, and the message box stays at its end', async () => {
  await begin('echo hello')
  const { page, faults } = await open('/', SCREENS.phone)
  await page.getByTestId('session-row').first().waitFor()

  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 640 })
    const box = await page.getByRole('textbox', { name: 'Message to the agent' }).boundingBox()
    const button = await page.getByRole('button', { name: 'Send', exact: true }).boundingBox()
    expect(box && box.y + box.height).toBeLessThan(640)
    expect(button && button.x + button.width).toBeLessThan(width)
    await expect.poll(() => isTooWide(page)).toBe(false)
  }
  const touched = await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .boundingBox()
  expect(Math.min(touched?.width ?? 0, touched?.height ?? 0)).toBeGreaterThanOrEqual(44)
  expect(faults).toEqual([])
})

test('settings of an agent are saved in the hub, those of the page in the browser', async () => {
  const { page, faults } = await open('/settings/general')

  await page.getByRole('radio', { name: 'Dark' }).check()
  await page.getByLabel('Command output lines').fill('7')
  await page.getByRole('switch', { name: 'Render Markdown' }).uncheck()
  await page.getByLabel('Agent thinking').selectOption('Collapsed')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await page.getByRole('heading', { name: 'General', exact: true }).click()
  await page.keyboard.press('?')
  await help.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('switch', { name: 'Single keys' }).uncheck()
  await page.keyboard.press('?')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Command palette' }).waitFor()
  await expect.poll(() => help.count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Repositories' }).click()
  await page.getByText(`${hub.root}/shop-api`).waitFor()
  await page.getByRole('link', { name: 'Agents' }).click()
  await page.locator('summary', { hasText: 'Settings Demo agent' }).click()
  await page.getByLabel('Mode', { exact: true }).selectOption({ label: 'Code' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved').waitFor()

  await page.reload()
  const kept = await page.evaluate(() => localStorage.getItem('quayside.preferences') ?? '')
  expect(JSON.parse(kept)).toMatchObject({ commandOutputLines: 7, renderMarkdown: false })
  await expect.poll(() => backgroundOf(page)).toBe('rgb(19, 19, 18)')
  await page.locator('summary', { hasText: 'Settings Demo agent' }).click()
  await expect.poll(() => page.getByLabel('Mode', { exact: true }).inputValue()).toBe('code')
  expect(await hub.call('GET', '/api/extensions/demo/settings')).toEqual({
    settings: { mode: 'code' },
  })
  expect(faults).toEqual([])
})

test('an untrusted repository is asked about, and starts when it is trusted', async () => {
  await using hub = await HubProcess.start(['shop-api'], { QUAYSIDE_TRUST: 'ask' })
  const { page } = await openPage(hub.origin, SCREENS.desktop)
  await page.goto(hub.address)
  const task = page.getByRole('button', { name: 'Explain this repository' })

  await task.click()
  await page.getByRole('dialog', { name: 'Trust shop-api?' }).waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Trust this repository first').waitFor()
  await task.click()
  await page.getByRole('button', { name: 'Trust and start' }).click()

  await page.waitForURL(/\/s\/[^/]+$/)
})

type Asked = { readonly permissions: readonly PendingPermission[] }
type Detail = { readonly settings: unknown; readonly repo: { readonly name: string } }

/** A page in a signed-in browser. */
async function open(path: string, options: PageOptions = SCREENS.desktop): Promise<WatchedPage> {
  const storageState = await hub.signIn()
  return pages.open(hub.origin, path, { ...options, storageState })
}

/** Creates a session with a prompt, and returns its id. */
async function begin(text: string): Promise<string> {
  const { id } = await hub.newSession('shop-api')
  await hub.call('POST', `/api/sessions/${id}/prompt`, { text })
  return id
}

async function send(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message to the agent' }).fill(text)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
}

/** Writes a task on the home page and waits for its session. */
async function start(page: Page, text: string): Promise<void> {
  await send(page, text)
  await page.waitForURL(/\/s\/[^/]+$/)
  // The prompt may be out of view already; the session has its title.
  await page.locator('header h1').getByText(text).waitFor()
}

async function choose(page: Page, title: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${title}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

function sessionOf(page: Page): string {
  return new URL(page.url()).pathname.replace('/s/', '/sessions/')
}

function iconOf(page: Page): Promise<string | null> {
  return page.locator('link[rel="icon"]').getAttribute('href')
}

function backgroundOf(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.body).backgroundColor)
}
