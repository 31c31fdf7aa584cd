// At the limit of active sessions: one click puts the longest idle one to sleep and starts the new one, or wakes another.
import type { ScriptedHub } from '@quayside/client/testing'
import { expect, test } from 'vitest'
import { ScriptedStage } from './scripted-stage.js'
import { said, send } from './session-stage.js'

const stage = new ScriptedStage()

/** Refuses the first call of a route, and records what is sent to it. */
function refuseOnce(hub: ScriptedHub, route: string, then: () => object): unknown[] {
  const sent: unknown[] = []
  hub.routes.set(route, ({ body }) => {
    sent.push(body)
    const details = { limit: 5, canMakeRoom: true }
    const error = { code: 'session_limit', message: 'There are 5 active sessions.', details }
    return sent.length === 1 ? { status: 429, body: { error } } : { body: then() }
  })
  return sent
}

test('a new session starts after the longest idle one was put to sleep', async () => {
  const { page, hub, faults } = await stage.open()
  const session = hub.addSession({ title: 'The sixth' })
  const sent = refuseOnce(hub, 'POST /api/sessions', () => ({
    ...session.summary,
    sessionId: session.id,
  }))
  await page.getByRole('link', { name: 'New session Ctrl Shift O' }).click()
  await send(page, 'one more')
  const dialog = page.getByRole('dialog', { name: 'All 5 agents are awake' })
  await dialog.getByRole('button', { name: 'Put it to sleep and start' }).click()
  await page.waitForURL(`**/s/${session.id}`)
  expect(sent).toMatchObject([{ makeRoom: false }, { makeRoom: true }])
  expect(faults.filter((fault) => !fault.includes('429'))).toEqual([])
})

test('a sleeping session is shown as asleep, and wakes when it is written to', async () => {
  const { page, hub, session } = await stage.open()
  session.append({ type: 'session.ended', data: { status: 'completed', reason: 'made_room' } })
  const resume = `POST /api/sessions/${session.id}/resume`
  const sent = refuseOnce(hub, resume, () => {
    session.append({ type: 'session.resumed', data: {} })
    return session.summary
  })
  await page.getByTestId('session-row').getByText('Asleep').waitFor()
  await send(page, 'echo awake')
  await page.getByRole('button', { name: 'Put it to sleep and start' }).click()
  await page.getByRole('log').getByText('awake', { exact: true }).waitFor()
  expect(sent).toEqual([{}, { makeRoom: true }])
})

test('a session that falls asleep after it was read, or before this browser came, is no new result', async () => {
  const { page, hub, session: read } = await stage.open()
  const older = hub.addSession({ title: 'Older' })
  older.prompt([{ type: 'text', text: 'echo long ago' }], 'older-1')
  await expect.poll(() => older.summary.activity).toBe('idle')
  await send(page, 'echo news')
  await said(page, 'news').waitFor()
  // As a browser that sees both for the first time.
  await page.evaluate(() => localStorage.removeItem('quayside.read'))
  await page.goto(new URL('/', page.url()).href)
  const rows = page.getByTestId('session-row')
  await expect.poll(() => rows.filter({ hasText: 'Idle' }).count()).toBe(2)
  for (const session of [read, older])
    session.append({ type: 'session.ended', data: { status: 'completed', reason: 'made_room' } })
  await expect.poll(() => rows.filter({ hasText: 'Asleep' }).count()).toBe(2)
})
