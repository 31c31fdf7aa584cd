// Decisions that wait for a person, their timeouts, and toasts about other sessions.
import { expect, test } from 'vitest'
import { ScriptedStage } from './scripted-stage.js'

const stage = new ScriptedStage()
const OPTIONS = [{ optionId: 'yes', name: 'Allow once', kind: 'allow_once' }]

test('a decision shows how long it waits, counts down when its time is nearly over, and is then timed out', async () => {
  const { page, session } = await stage.openOwn()
  const expiresAt = new Date(Date.now() + 60 * 60_000).toISOString()
  const toolCall = { toolCallId: 'ask', title: 'npm test', kind: 'execute' }
  session.append(
    { type: 'turn.queued', data: { turnId: 't', prompt: [{ type: 'text', text: 'Do it' }] } },
    { type: 'turn.started', data: { turnId: 't' } },
    {
      type: 'permission.requested',
      data: { permissionId: 'p', turnId: 't', toolCall, options: OPTIONS, expiresAt },
    },
  )
  await page.clock.install()
  const dock = page.getByTestId('decision-dock')
  const row = page.getByTestId('session-row')
  await dock.waitFor()
  await page.clock.fastForward('12:10')
  await dock.getByText('waiting 12 min').waitFor()
  await row.getByText('Needs your permission · waiting 12 min').waitFor()
  await page.clock.fastForward('42:00')
  await dock.getByText(/^times out in 5:\d\d$/).waitFor()
  await row.getByText(/times out in 5:\d\d$/).waitFor()
  session.append(
    {
      type: 'permission.resolved',
      data: { permissionId: 'p', outcome: { outcome: 'cancelled' }, reason: 'timeout' },
    },
    {
      type: 'turn.ended',
      data: { turnId: 't', stopReason: 'cancelled', reason: 'decision_timeout' },
    },
  )
  await page.getByTestId('turn-end').getByText('Timed out: a permission').waitFor()
  await row.getByText('Timed out waiting for you').waitFor()
  await expect.poll(() => row.getAttribute('data-look')).toBe('danger')
  await page.getByTestId('status-pill').getByText('Timed out').waitFor()
})

test('several permissions of one kind are listed and allowed with one click', async () => {
  const { page, hub, session } = await stage.open()
  hub.agent = async (turn) => {
    const ask = (title: string, kind: string) =>
      turn.ask({ toolCallId: title, title, kind }, OPTIONS)
    await Promise.all([
      ask('npm test', 'execute'),
      ask('Edit a.ts', 'edit'),
      ask('npm ci', 'execute'),
    ])
  }
  session.prompt([{ type: 'text', text: 'go' }], 't')
  const dock = page.getByTestId('decision-dock')
  await dock.getByText('3 permissions are waiting').click()
  await dock.getByRole('listitem').nth(2).getByText('npm ci').waitFor()
  await dock.getByRole('button', { name: 'Allow all 2 like this' }).click()
  await dock.locator('pre', { hasText: 'Edit a.ts' }).waitFor()
  expect(session.permissions).toMatchObject([{ toolCall: { title: 'Edit a.ts' } }])
})

test('toasts about one session replace each other and do not lie over Send', async () => {
  const { page, hub } = await stage.open()
  // The script that makes toasts is loaded after the page, and sets its title.
  await expect.poll(() => page.title()).toContain('New session')
  const other = hub.addSession({ title: 'Other work' })
  const toast = page.locator('.toast', { hasText: 'Other work' })
  for (const turnId of ['one', 'two']) {
    other.append(
      { type: 'turn.queued', data: { turnId, prompt: [{ type: 'text', text: turnId }] } },
      { type: 'turn.started', data: { turnId } },
    )
    await page.getByTestId('session-row').getByText('Working').waitFor()
    other.append({ type: 'turn.ended', data: { turnId, stopReason: 'end_turn' } })
    await toast.getByText('Other work is done').waitFor()
  }
  await expect.poll(() => toast.count()).toBe(1)
  const { y, height } = (await toast.boundingBox())!
  const send = (await page.getByTestId('send').boundingBox())!
  expect(y + height).toBeLessThan(send.y)
})
