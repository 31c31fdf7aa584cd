// From the printed address to a session, in a real browser with a real hub.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page, WebSocketRoute } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { says, storeSessions } from '../../hub/test/stored-sessions.js'
import { HubProcess } from './hub-process.js'
import { ReusedPages } from './reused-pages.js'
import { settledTop } from './settled-top.js'
import { openPage, SCREENS, type WatchedPage } from './test-browser.js'
import { isTooWide } from './too-wide.js'

const TOKEN = 'a-token-for-first-sessions-only'
const LONG_SESSION = '01900000-0000-7000-8000-000000000001'
const ENVIRONMENT = {
  QUAYSIDE_TOKEN: TOKEN,
  QUAYSIDE_DEMO_PACE: '0',
  AGENT_MAX_SESSIONS: '20',
}

let hub: HubProcess

beforeAll(async () => {
  hub = await HubProcess.start(['shop-api'], ENVIRONMENT, ({ root, dataFolder }) => {
    const turns = Array.from({ length: 200 }, (_, turn) => ({
      prompt: `look at ${turn}`,
      updates: [0, 1, 2, 3].map((tool) => toolCall(`${turn}-${tool}`)),
    }))
    const end = { prompt: 'echo the end', updates: [says('the end')] }
    const session = { id: LONG_SESSION, repo: join(root, 'shop-api'), agent: 'demo' }
    return storeSessions(dataFolder, [{ ...session, turns: [...turns, end] }])
  })
}, 180_000)

afterAll(() => hub?.[Symbol.asyncDispose]())
// The last hook runs first.
const pages = new ReusedPages()

function toolCall(toolCallId: string) {
  const call = { toolCallId, title: `Read ${toolCallId}`, kind: 'read', status: 'completed' }
  return { sessionUpdate: 'tool_call', ...call } as const
}

/** The first page in a browser that signed in with a new code. */
async function openHome(): Promise<WatchedPage> {
  const storageState = await hub.signIn(await newCode(hub))
  return pages.open(hub.origin, '/', { ...SCREENS.desktop, storageState })
}

async function addressOf(hub: HubProcess, path: string): Promise<string> {
  return `${hub.origin}${path}#code=${await newCode(hub)}`
}

async function newCode({ origin }: HubProcess): Promise<string> {
  const { code } = (await post(origin, '/api/login-codes', {})) as { code: string }
  return code
}

async function post(origin: string, path: string, body: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  const answer = await fetch(`${origin}${path}`, init)
  if (!answer.ok) throw new Error(`POST ${path}: ${await answer.text()}`)
  return answer.json()
}

/** The code in the printed address works once. */
const ADDRESSES = [
  ['the printed address', 'desktop', () => Promise.resolve(hub.address)],
  ['an address with a new code', 'phone', () => addressOf(hub, '/')],
] as const

test.each(ADDRESSES)(
  '%s leads to a session with an agent, on a %s',
  async (_address, screen, address) => {
    const { page, faults } = await openPage(hub.origin, SCREENS[screen])
    await page.goto(await address())
    await page.getByRole('heading', { name: 'What should we build?' }).waitFor()
    expect(page.url()).toBe(`${hub.origin}/`)

    await page.getByRole('button', { name: /^Agent:/ }).click()
    await page
      .getByRole('listbox')
      .getByRole('option', { name: /^Demo agent/ })
      .click()
    // It is visible while it streams.
    await send(page, 'drip 100000 20')
    await page.waitForURL(/\/s\/[^/]+$/)
    await page.getByRole('log').getByText('drop 3').first().waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('log').getByText('Stopped').waitFor()

    await send(page, 'edit README.md')
    const decision = page.getByRole('region', { name: 'Needs your decision' })
    await decision.getByText('Edited by the Quayside demo agent.').last().waitFor()
    await decision.getByRole('button', { name: 'Allow', exact: false }).first().click()
    await page
      .getByRole('log')
      .getByText(/^Wrote .*README\.md/)
      .waitFor()
    await decision.waitFor({ state: 'detached' })
    await page.locator('header').getByText('Idle').waitFor()

    const before = await lastRows(page)
    expect(before.join('\n')).toContain('edit README.md')
    await page.reload()
    await page
      .getByRole('log')
      .getByText(/^Wrote .*README\.md/)
      .waitFor()
    await expect.poll(() => lastRows(page)).toEqual(before)
    await expect.poll(() => isTooWide(page)).toBe(false)
    expect(faults).toEqual([])
  },
)

test('a task written on the first page starts a session, and Stop ends its turn', async () => {
  const { page, faults } = await openHome()

  await send(page, 'slow 600')
  await page.waitForURL(/\/s\/[^/]+$/)
  await page.getByRole('button', { name: 'Stop' }).click()

  await page.getByRole('log').getByText('Stopped').waitFor()
  expect(faults).toEqual([])
})

test('an agent’s answer is text, whatever it looks like', async () => {
  const { page, faults } = await openHome()
  const hostile = '<img src=x onerror="document.title=\'owned\'"><script>alert(1)</script>'

  await send(page, `echo ${hostile}`)
  await page.getByRole('log').getByText(hostile, { exact: true }).waitFor()

  await expect.poll(() => page.getByRole('log').locator('img, script').count()).toBe(0)
  await expect.poll(() => page.title()).not.toBe('owned')
  expect(faults).toEqual([])
})

test('a connection that is lost comes back with everything that was missed', async () => {
  const { page } = await openPage(hub.origin, SCREENS.desktop)
  const sockets: WebSocketRoute[] = []
  await page.routeWebSocket(/\/ws$/, (socket) => {
    socket.connectToServer()
    sockets.push(socket)
  })
  await page.goto(await addressOf(hub, '/'))
  await send(page, 'drip 30 20')
  await page.getByRole('log').getByText('drop 3').waitFor()
  const connections = sockets.length

  await sockets.at(-1)?.close({ code: 1001 })
  const { pathname } = new URL(page.url())
  await post(hub.origin, `/api/sessions/${pathname.split('/').at(-1)}/prompt`, {
    text: 'echo later',
  })

  await page.getByTestId('msg-agent').getByText('later', { exact: true }).waitFor()
  expect(sockets.length).toBeGreaterThan(connections)
  const text = await transcript(page)
  const drops = [...text.matchAll(/drop (\d+)/g)].map(([, number]) => Number(number))
  expect(drops).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
})

test('a long session opens at its end, and loading earlier rows does not move the view', async () => {
  const { page, faults } = await openPage(hub.origin, SCREENS.desktop)
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(/timeline\?.*before=/, async (route) => {
    await released
    await route.continue()
  })
  await page.goto(await addressOf(hub, `/s/${LONG_SESSION}`))
  await page.getByRole('log').getByText('the end', { exact: true }).waitFor()
  await page.getByText('Ended', { exact: true }).first().waitFor()
  const log = page.getByRole('log')
  const height = await log.evaluate((scroller) => scroller.scrollHeight)
  const asked = page.waitForRequest(/timeline\?.*before=/)
  await log.evaluate((scroller) => (scroller.scrollTop = 400))
  await asked
  // Rows outside of the view may leave the page.
  const row = await log.evaluateHandle((scroller) => {
    const { top } = scroller.getBoundingClientRect()
    const rows = [...scroller.querySelectorAll('.row')]
    return rows.find((one) => one.getBoundingClientRect().top > top)!
  })
  const before = await settledTop(row)
  release()
  await page.waitForFunction(
    (before) => (document.querySelector('.timeline')?.scrollHeight ?? 0) > before + 1_000,
    height,
  )

  expect(await settledTop(row)).toBeCloseTo(before, 0)
  expect(faults).toEqual([])
})

test('without a code the page says where to find it, and takes a pasted one; a repository is added by its path, and a refusal says why', async () => {
  await using empty = await HubProcess.start([], ENVIRONMENT)
  const { page } = await openPage(empty.origin, SCREENS.phone)
  await page.goto(empty.origin)
  await page.getByRole('heading', { name: 'Sign in to Quayside' }).waitFor()

  const field = page.getByRole('textbox')
  await field.fill('wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('This code is no longer valid').waitFor()
  await field.fill(empty.address)
  await page.getByRole('button', { name: 'Sign in' }).click()

  await page.getByRole('heading', { name: 'No repositories here yet' }).waitFor()

  const path = page.getByRole('textbox', { name: 'Folder path' })
  const add = page.getByRole('button', { name: 'Add repository' })
  await path.fill('/')
  await add.click()
  await page.getByText('This folder is outside of the hub’s root folders').waitFor()
  await path.fill(empty.root)
  await add.click()
  await page.getByText('lies in no git repository').waitFor()

  await promisify(execFile)('git', ['init', '--quiet', join(empty.root, 'brand-new')])
  await page.getByRole('button', { name: 'Browse' }).click()
  const folders = page.getByRole('dialog', { name: 'Choose a folder' })
  await folders.getByRole('button', { name: 'root' }).click()
  await folders.getByRole('button', { name: 'brand-new' }).click()
  await folders.getByText(join(empty.root, 'brand-new')).waitFor()
  await folders.getByRole('button', { name: 'Choose this folder' }).click()
  await add.click()
  await page.getByRole('button', { name: 'Repository: brand-new' }).waitFor()
  await send(page, 'echo begun')
  await page.getByRole('log').getByText('begun').last().waitFor()
})

test('a prompt that could not be sent returns to the field, with the reason', async () => {
  const { page } = await openHome()
  await send(page, 'echo begun')
  await page.waitForURL(/\/s\/[^/]+$/)
  await page.route('**/prompt', (route) => route.abort())
  await send(page, 'echo kept')

  await page.getByText('Not sent. Can’t reach the hub.').waitFor()
  await expect.poll(() => page.getByRole('textbox').inputValue()).toBe('echo kept')
  await page.unroute('**/prompt')
})

async function send(page: Page, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Message to the agent' })
  await field.fill(text)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
}

/** The last turn; earlier rows are in the page only while they are visible. */
async function lastRows(page: Page): Promise<readonly string[]> {
  const rows = await page.locator('.timeline .row').allInnerTexts()
  return rows.filter((text) => text !== '').slice(-5)
}

function transcript(page: Page): Promise<string> {
  return page.getByRole('log').innerText()
}
