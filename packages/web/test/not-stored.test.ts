// A session whose work the hub cannot store, as on a full disk.
import { expect, test, vi } from 'vitest'
import { ScriptedStage } from './scripted-stage.js'

const stage = new ScriptedStage()

test('a full disk is mentioned as soon as the hub reports it, and no agent is ready while it works', async () => {
  const { page, faults, session } = await stage.open()
  const prompt = [{ type: 'text' as const, text: 'Begin' }]
  session.append({ type: 'turn.queued', data: { turnId: 'turn-1', prompt } })
  await page.getByText('Demo agent is working').first().waitFor()
  await expect.poll(() => page.getByText('Demo agent is ready. What').count()).toBe(0)

  const { summary } = session
  vi.spyOn(session, 'summary', 'get').mockReturnValue({ ...summary, notStored: true })
  session.change({ title: 'Full' })
  await page.getByRole('alert').getByText('its disk may be full').waitFor()
  expect(faults).toEqual([])
})
