// A6. Lost network, other device, nothing lost.
import type { Page, WebSocketRoute } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP, LONG, said, send, status, Story, violationsIn } from './story.js'

const DROPS = 300
const SAID_AFTER_MS = 1_500

test('without a network the page stays, messages are sent once later, and no event is lost', async () => {
  const story = await Story.begin()
  const { id: otherId } = await story.newSession('fake', 'shop-api')
  await story.call('PATCH', `/api/sessions/${otherId}`, { title: 'Another session' })
  const { page, faults, id } = await story.openSession({
    ...DESKTOP,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await send(page, `drip ${DROPS} 20`)
  await page.getByRole('log').getByText('drop 10', { exact: false }).waitFor()
  const pill = page.locator('.connection-text')
  await page.context().setOffline(true)
  // The hub is on this machine and needs no network, so the page keeps reconnecting.
  await pill.getByText('Reconnecting').waitFor()
  await pill.getByRole('button', { name: 'Retry now' }).click()
  await expect.poll(() => page.getByRole('log').innerText()).toContain('drop 10')
  await send(page, 'echo later')
  const unsent = page.getByTestId('not-sent')
  await unsent.getByText('Not sent yet. It goes out when you’re back online.').waitFor()
  await expect.poll(() => unsent.innerText()).toContain('echo later')
  expect(await violationsIn(page)).toEqual([])
  await expect.poll(() => typesOf(story, id), LONG).toContain('turn.ended')

  await page.context().setOffline(false)
  await pill.waitFor({ state: 'detached' })
  await unsent.waitFor({ state: 'detached' })
  await said(page, 'later').waitFor(LONG)
  await status(page, 'Idle')
  const drops = Array.from({ length: DROPS }, (_, index) => `drop ${index + 1}\n`).join('')
  await copy(page)
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText()), LONG).toBe(drops)
  const events = await story.events(id)
  const recorded = events.flatMap(({ type, data }) => (type === 'acp.update' ? [textIn(data)] : []))
  expect(recorded.join('')).toBe(`${drops}later`)
  const sent = events.filter(({ type }) => type === 'turn.started')
  expect(sent).toHaveLength(2)

  const { page: other, faults: otherFaults } = await story.open(`/s/${id}`, DESKTOP)
  await said(other, 'later').waitFor()
  // The confirmation is shown for a moment.
  await page.getByText('Copied', { exact: true }).waitFor({ state: 'detached' })
  await expect.poll(() => rows(other), LONG).toEqual(await rows(page))
  const field = page.getByTestId('composer-input')
  await field.fill('half a thought')
  await page.getByTestId('session-row').getByText('Another session').click()
  await page.waitForURL(`**/s/${otherId}`)
  // The address changes before the page is rendered.
  await expect.poll(() => field.inputValue(), LONG).toBe('')
  await page.goBack()
  await page.waitForURL(`**/s/${id}`)
  await expect.poll(() => field.inputValue(), LONG).toBe('half a thought')
  await page.reload()
  await said(page, 'later').waitFor()
  await expect.poll(() => field.inputValue()).toBe('half a thought')
  expect(await violationsIn(page, other)).toEqual([])
  await loseShortly(page)
  expect(faults.filter((fault) => !fault.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
  expect(otherFaults).toEqual([])
}, 300_000)

/** Interrupts the connection for less time than the banner needs; the page's clock is stopped meanwhile. */
async function loseShortly(page: Page): Promise<void> {
  const sockets: WebSocketRoute[] = []
  await page.routeWebSocket(/\/ws$/, (socket) => {
    socket.connectToServer()
    sockets.push(socket)
  })
  await page.clock.install()
  await page.reload()
  await said(page, 'later').waitFor()
  await page.locator('.side-foot').getByText('Connected').waitFor()
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await page.context().setOffline(true)
  await sockets.at(-1)?.close({ code: 1001 })
  await page.locator('.side-foot').getByText('Connecting').waitFor()
  await page.clock.runFor(SAID_AFTER_MS - 1)
  await expect.poll(() => page.locator('.connection-text').count()).toBe(0)
  await page.clock.runFor(1)
  await page.locator('.connection-text').waitFor()
}

async function typesOf(story: Story, id: string): Promise<string[]> {
  return (await story.events(id)).map(({ type }) => type)
}

/** Copies the whole long answer. */
async function copy(page: Page): Promise<void> {
  const answer = page.getByTestId('msg-agent').filter({ hasText: `drop ${DROPS}` })
  // By keyboard: a mouse press is lost when the list moves under it, and the answer is taller than the page.
  await answer.getByRole('button', { name: 'Copy as Markdown' }).press('Enter')
}

/** The last rows, without the name of the device that a prompt on another device shows. */
async function rows(page: Page): Promise<string[]> {
  const texts = await page.locator('.timeline .row').allInnerTexts()
  const shown = texts.filter((text) => text !== '').slice(-4)
  return shown.map((text) => text.replace(/^Chrome on Linux\n/, ''))
}

function textIn(data: unknown): string {
  const { update } = data as { update: { sessionUpdate: string; content?: { text?: string } } }
  return update.sessionUpdate === 'agent_message_chunk' ? (update.content?.text ?? '') : ''
}
