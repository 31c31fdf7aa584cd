import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page, WebSocketRoute } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { HubProcess } from './hub-process.js'
import { openPage, SCREENS } from './test-browser.js'

describe.each(Object.entries(SCREENS))('on a %s', (_name, screen) => {
  test('the printed address leads to a session with an agent', async () => {
    await using hub = await HubProcess.start(['shop-api'])
    const { page, faults } = await openPage(hub.origin, screen)

    await page.goto(hub.address)
    await page.getByRole('heading', { name: 'What should we build?' }).waitFor()
    expect(page.url()).toBe(`${hub.origin}/`)

    await page.getByRole('button', { name: /^Agent:/ }).click()
    await page
      .getByRole('listbox')
      .getByRole('option', { name: /^Demo agent/ })
      .click()
    await page.getByRole('button', { name: 'Start a session in shop-api' }).click()
    await page.waitForURL(/\/s\/[^/]+$/)

    await send(page, 'drip 25 100')
    await page.getByRole('log').getByText('drop 1').waitFor()
    expect(await page.getByRole('log').getByText('drop 25').count()).toBe(0)
    await page.getByRole('log').getByText('drop 25').waitFor()

    await send(page, 'edit README.md')
    const decision = page.getByRole('region', { name: 'Decision needed' })
    await decision.getByText('Edited by the Quayside demo agent.').waitFor()
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
    expect(await isWiderThanScreen(page)).toBe(false)
    expect(faults).toEqual([])
  })
})

test('a task written on the first page starts a session, and Stop ends its turn', async () => {
  await using hub = await HubProcess.start(['shop-api'])
  const { page, faults } = await openPage(hub.origin, SCREENS.desktop)
  await page.goto(hub.address)

  await send(page, 'slow 60')
  await page.waitForURL(/\/s\/[^/]+$/)
  await page.getByRole('button', { name: 'Stop' }).click()

  await page.getByRole('log').getByText('Stopped').waitFor()
  expect(faults).toEqual([])
})

test('what an agent says is text, whatever it looks like', async () => {
  await using hub = await HubProcess.start(['shop-api'])
  const { page, faults } = await openPage(hub.origin, SCREENS.desktop)
  await page.goto(hub.address)
  const hostile = '<img src=x onerror="document.title=\'owned\'"><script>alert(1)</script>'

  await send(page, `echo ${hostile}`)
  await page.getByRole('log').getByText(hostile, { exact: true }).waitFor()

  expect(await page.getByRole('log').locator('img, script').count()).toBe(0)
  expect(await page.title()).not.toBe('owned')
  expect(faults).toEqual([])
})

test('a connection that is lost comes back with everything that was missed', async () => {
  await using hub = await HubProcess.start(['shop-api'])
  const { page } = await openPage(hub.origin, SCREENS.desktop)
  const sockets: WebSocketRoute[] = []
  await page.routeWebSocket(/\/ws$/, (socket) => {
    socket.connectToServer()
    sockets.push(socket)
  })
  await page.goto(hub.address)
  await send(page, 'drip 30 100')
  await page.getByRole('log').getByText('drop 3').waitFor()

  await sockets[0]?.close({ code: 1001 })

  await page.getByRole('log').getByText('drop 30').waitFor()
  expect(sockets.length).toBe(2)
  const text = await transcript(page)
  const drops = [...text.matchAll(/drop (\d+)/g)].map(([, number]) => Number(number))
  expect(drops).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
})

test('a long session opens at its end, and what came earlier does not move what is read', async () => {
  await using hub = await HubProcess.start(['shop-api'], { QUAYSIDE_DEMO_PACE: '0' })
  const { page, faults } = await openPage(hub.origin, SCREENS.desktop)
  await page.goto(hub.address)
  await page.getByRole('button', { name: 'Start a session in shop-api' }).click()
  await page.getByText('Demo agent is ready. What').waitFor()
  await page.evaluate(runTurns, 'tools')
  await send(page, 'echo the end')
  await page.getByRole('log').getByText('the end', { exact: true }).waitFor()
  let release = () => {}
  await page.route(/timeline\?.*before=/, async (route) => {
    await new Promise<void>((resolve) => (release = resolve))
    await route.continue()
  })

  await page.reload()
  await page.getByRole('log').getByText('the end', { exact: true }).waitFor()
  await page.getByTestId('config-model').waitFor()
  const log = page.getByRole('log')
  const height = await log.evaluate((scroller) => scroller.scrollHeight)
  const asked = page.waitForRequest(/timeline\?.*before=/)
  await log.evaluate((scroller) => (scroller.scrollTop = 400))
  await asked
  const row = await page.locator('.timeline .row >> visible=true').nth(3).elementHandle()
  const before = await row?.boundingBox()
  release()
  await page.waitForFunction(
    (before) => (document.querySelector('.timeline')?.scrollHeight ?? 0) > before + 1_000,
    height,
  )

  expect((await row?.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0)
  expect(faults).toEqual([])
}, 300_000)

test('without a code the page says where to find it, and takes a pasted one', async () => {
  await using hub = await HubProcess.start([])
  const { page } = await openPage(hub.origin, SCREENS.phone)
  await page.goto(hub.origin)
  await page.getByRole('heading', { name: 'Sign in to Quayside' }).waitFor()

  const field = page.getByRole('textbox')
  await field.fill('wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('This code is not valid any more').waitFor()
  await field.fill(hub.address)
  await page.getByRole('button', { name: 'Sign in' }).click()

  await page.getByRole('heading', { name: 'No repositories here yet' }).waitFor()
})

test('where no repository was found, one is added by its path, and a refusal says why', async () => {
  await using hub = await HubProcess.start([])
  const { page } = await openPage(hub.origin, SCREENS.phone)
  await page.goto(hub.address)
  const path = page.getByRole('textbox', { name: 'Path of the folder' })
  const add = page.getByRole('button', { name: 'Add repository' })
  await path.fill('/')
  await add.click()
  await page.getByText("lies outside the hub's workspace root").waitFor()
  await path.fill(hub.root)
  await add.click()
  await page.getByText('lies in no git repository').waitFor()

  await promisify(execFile)('git', ['init', '--quiet', join(hub.root, 'brand-new')])
  await page.getByRole('button', { name: 'Browse' }).click()
  const folders = page.getByRole('dialog', { name: 'Choose a folder' })
  await folders.getByRole('button', { name: 'root' }).click()
  await folders.getByRole('button', { name: 'brand-new' }).click()
  await folders.getByText(join(hub.root, 'brand-new')).waitFor()
  await folders.getByRole('button', { name: 'Choose this folder' }).click()
  await add.click()
  await page.getByRole('button', { name: 'Repository: brand-new' }).waitFor()
})

test('a prompt that could not be sent is put back, with the reason', async () => {
  await using hub = await HubProcess.start(['shop-api'])
  const { page } = await openPage(hub.origin, SCREENS.desktop)
  await page.goto(hub.address)
  await page.getByRole('button', { name: 'Start a session in shop-api' }).click()
  await page.getByText('Demo agent is ready. What').waitFor()

  await page.route('**/prompt', (route) => route.abort())
  await send(page, 'echo kept')

  await page.getByText('Not sent. The hub does not answer.').waitFor()
  expect(await page.getByRole('textbox').inputValue()).toBe('echo kept')
})

async function send(page: Page, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Message to the agent' })
  await field.fill(text)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
}

/** In the page: turns with the same prompt, one after the other, until the session is long. */
async function runTurns(text: string): Promise<void> {
  const path = `/api/sessions/${location.pathname.split('/').at(-1)}`
  for (let lastSeq = 0; lastSeq < 700;) {
    const headers = { 'content-type': 'application/json' }
    await fetch(`${path}/prompt`, { method: 'POST', headers, body: JSON.stringify({ text }) })
    for (let activity = 'working'; activity !== 'idle';)
      ({ activity, lastSeq } = await (await fetch(path)).json())
  }
}

/** The turn that came last; earlier rows are in the page only while they are in sight. */
async function lastRows(page: Page): Promise<readonly string[]> {
  const rows = await page.locator('.timeline .row').allInnerTexts()
  return rows.filter((text) => text !== '').slice(-5)
}

function transcript(page: Page): Promise<string> {
  return page.getByRole('log').innerText()
}

function isWiderThanScreen(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
}
