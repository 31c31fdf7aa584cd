// Failures offer their next step, and texts that cannot be rendered stay readable.
import { expect, test } from 'vitest'
import { ScriptedStage } from './scripted-stage.js'
import { send } from './session-stage.js'

const stage = new ScriptedStage()

test('a turn that needs a sign-in to the agent has a button for it, and folds the raw error', async () => {
  const { page, session } = await stage.open()
  const error = {
    code: 'agent_auth_required',
    message: 'Sign in to the agent first: no key.',
    details: { acp: { code: -32_000 } },
  }
  session.append({ type: 'turn.ended', data: { turnId: 'turn-1', error } })
  const failure = page.getByRole('alert').filter({ hasText: 'no key' })
  const link = failure.getByRole('link', { name: 'Sign in' })
  await expect.poll(() => link.getAttribute('href')).toBe('/settings/agents#agent-demo')
  await expect.poll(() => failure.getByText('-32000').isVisible()).toBe(false)
})

test('a formula of its own line keeps its backslashes inside a sentence', async () => {
  const { page, faults } = await stage.open()
  await send(page, String.raw`echo The area is \(a^2\), or \[b\], and \*not bold\*.`)
  const answer = page.getByTestId('msg-agent')
  await answer.getByRole('math').waitFor()
  await answer.getByText(String.raw`, or \[b\], and *not bold*.`).waitFor()
  expect(faults).toEqual([])
})
