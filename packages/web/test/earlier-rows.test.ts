// Earlier rows of a conversation of which only the end is loaded, and the text that a person reads meanwhile.
import type { EventBody, SessionUpdate } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { answerInParts, ScriptedStage } from './scripted-stage.js'

const stage = new ScriptedStage()

test('the steps that a person reads stay where they are when the beginning of their turn is loaded', async () => {
  const { page } = await stage.openWith((session, hub) => {
    // Of its items the plan, which is the first one, and the last four steps are among the sixty that are loaded at first.
    session.append(...longTurn(100))
    for (let number = 0; number < 18; number += 1) session.append(...shortTurn(`t${number}`))
    answerInParts(session, hub)
  })
  const answers: (() => void)[] = []
  await page.route(/\/timeline\?.*before=/, async (route) => {
    await new Promise<void>((resolve) => answers.push(resolve))
    await route.fallback()
  })
  const [read, earlier] = [99, 94].map((step) => page.getByText(`Change ${step}`, { exact: true }))
  await page.getByRole('log').hover()
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, -200)
      return await read!.count()
    })
    .toBe(1)
  await expect.poll(() => answers.length).toBe(1)
  const row = await read!.elementHandle()
  await page.unroute(/\/timeline\?.*before=/)
  answers[0]?.()
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, -50)
      return await earlier!.count()
    })
    .toBe(1)
  expect(await row?.evaluate((element) => element.isConnected)).toBe(true)
})

test('every row is visible after waiting prompts have begun', async () => {
  const { page, session } = await stage.openWith((session) => {
    session.append(...longTurn(2).slice(0, -1))
    for (const turnId of ['t1', 't2']) session.append(...shortTurn(turnId).slice(0, 1))
  })
  await page.getByTestId('queue').getByText('2 queued').waitFor()
  session.append(...longTurn(2).slice(-1))
  await page.getByTestId('turn-end').waitFor()
  session.append(...shortTurn('t1').slice(1))
  await page.getByText('Answer t1', { exact: true }).waitFor({ state: 'attached' })
  session.append(...shortTurn('t2').slice(1))
  await page.getByText('Answer t2', { exact: true }).waitFor({ state: 'attached' })
  const shown = () =>
    page
      .getByTestId('timeline')
      .locator('.row')
      .evaluateAll((rows) => rows.map((row) => row.checkVisibility({ visibilityProperty: true })))
  await expect.poll(shown).toEqual(Array.from({ length: 11 }, () => true))
})

function longTurn(steps: number): EventBody[] {
  const changes = Array.from({ length: steps }, (_, step) =>
    update('long', {
      sessionUpdate: 'tool_call',
      toolCallId: `change-${step}`,
      title: `Change ${step}`,
      kind: 'edit',
      status: 'completed',
    }),
  )
  return turn('long', [plan('in_progress'), ...changes, plan('completed')])
}

function plan(status: 'in_progress' | 'completed'): EventBody {
  const entries = [{ content: 'Change all of it', priority: 'medium', status } as const]
  return update('long', { sessionUpdate: 'plan', entries })
}

function shortTurn(turnId: string): EventBody[] {
  const content = { type: 'text', text: `Answer ${turnId}` } as const
  return turn(turnId, [update(turnId, { sessionUpdate: 'agent_message_chunk', content })])
}

function turn(turnId: string, updates: readonly EventBody[]): EventBody[] {
  return [
    { type: 'turn.queued', data: { turnId, prompt: [{ type: 'text', text: `Ask ${turnId}` }] } },
    { type: 'turn.started', data: { turnId } },
    ...updates,
    { type: 'turn.ended', data: { turnId, stopReason: 'end_turn' } },
  ]
}

function update(turnId: string, fields: SessionUpdate): EventBody {
  return { type: 'acp.update', data: { turnId, update: fields } }
}
