// The wire panel of a scripted session: its list follows the newest message, and never moves under a pressed pointer.
import type { WireFrame } from '@quayside/protocol'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { goTo } from './reused-pages.js'
import { ScriptedStage } from './scripted-stage.js'

const stage = new ScriptedStage()

test('a click counts although messages arrive between press and release, and the list follows them afterwards', async () => {
  const { page, hub, session, faults } = await stage.open()
  const frames = Array.from({ length: 60 }, (_, at) => requestFrame(at + 1))
  hub.routes.set(`GET /api/sessions/${session.id}/wire?limit=200`, () => ({ body: { frames } }))
  await goTo(page, `${page.url()}/wire`)
  const rows = page.getByRole('group', { name: 'Messages' }).getByRole('button')
  const row = (id: number) => rows.filter({ hasText: `method-${id}` })
  await row(60).waitFor()
  const { x = 0, y = 0 } = (await row(59).boundingBox()) ?? {}
  await page.mouse.move(x + 20, y + 5)
  await page.mouse.down()
  for (let id = 61; id <= 65; id += 1) frames.push(requestFrame(id))
  await look(page)
  await expect.poll(() => rows.last().innerText()).not.toContain('method-60')
  await page.mouse.up()
  await expect.poll(() => row(59).getAttribute('aria-expanded')).toBe('true')

  const list = page.getByRole('group', { name: 'Messages' })
  const distance = () => list.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight)
  await expect.poll(distance).toBeLessThanOrEqual(2)
  expect(faults).toEqual([])
})

function requestFrame(id: number): WireFrame {
  const frame = { jsonrpc: '2.0', id, method: `test/method-${id}` }
  return { at: id, direction: 'in', process: 'demo', bytes: 10, frame }
}

/** The page asks the hub for messages when it becomes visible. */
async function look(page: Page): Promise<void> {
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
}
