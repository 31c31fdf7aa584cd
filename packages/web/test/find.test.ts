// Find in a conversation, of which only the end is loaded: the page on a scripted hub that answers in parts, as a hub does.
import type { ScriptedSession } from '@quayside/client/testing'
import type { EventBody, SessionUpdate } from '@quayside/protocol'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { answerInParts, ScriptedStage } from './scripted-stage.js'

const stage = new ScriptedStage()

test('a text far from the end is found while typing, counted, marked and shown; Enter goes on upwards', async () => {
  const { page, session, faults } = await openLong()
  await find(page, 'nswer T7')
  await page.getByText('1 of 11', { exact: true }).waitFor()
  await page.getByText('Answer t79', { exact: true }).waitFor()
  await expect.poll(() => marks(page)).toMatchObject({ current: ['nswer t7'] })
  const [bar, area] = [page.getByRole('search'), page.getByRole('log')].map((one) =>
    one.boundingBox(),
  )
  expect((await bar)!.y).toBeGreaterThan((await area)!.y)
  expect((await bar)!.y).toBeLessThan((await area)!.y + 30)
  expect((await marks(page)).all.every((text) => text === 'nswer t7')).toBe(true)

  for (let at = 2; at <= 11; at += 1) await page.keyboard.press('Enter')
  await page.getByText('11 of 11', { exact: true }).waitFor()
  await page.getByText('Answer t7', { exact: true }).waitFor()
  await page.keyboard.press('Shift+Enter')
  await page.getByText('Answer t70', { exact: true }).waitFor()

  // The end goes on meanwhile, and is one click away.
  session.append(...turn('t300'))
  await page.getByTestId('jump-latest').click()
  await page.getByText('Answer t300', { exact: true }).waitFor()
  session.append(...turn('t301'))
  await page.getByText('Answer t301', { exact: true }).waitFor()
  await expect.poll(() => page.getByText('Answer t70', { exact: true }).count()).toBe(0)
  expect(faults).toEqual([])
})

test('the conversation goes on above and below the place that was found', async () => {
  const { page } = await openLong()
  await find(page, 'Answer t150')
  const place = page.getByText('Answer t150', { exact: true })
  await place.waitFor()
  await place.hover()
  for (const [last, by] of [
    ['Answer t120', -300],
    ['Answer t190', 300],
  ] as const) {
    const row = page.getByText(last, { exact: true })
    while ((await row.count()) === 0) await page.mouse.wheel(0, by)
  }
  await page.keyboard.press('Escape')
  await expect.poll(() => marks(page)).toEqual({ all: [], current: [] })
})

test('a text just before the loaded items is shown, also from the end of the conversation', async () => {
  const { page } = await openLong()
  await find(page, 'Answer t275')
  await page.getByText('Answer t275', { exact: true }).waitFor()
  await expect.poll(async () => (await marks(page)).current).toEqual(['answer t275'])
})

test('a text is shown also when the list scrolls by itself while the items around it are loaded', async () => {
  const { page } = await openLong()
  const answers: (() => void)[] = []
  await page.route(/\/timeline\?/, async (route) => {
    await new Promise<void>((resolve) => answers.push(resolve))
    await route.fallback()
  })
  // At once: fewer letters are found elsewhere.
  await page.keyboard.press('Control+f')
  await page.keyboard.insertText('Answer t150')
  await expect.poll(() => answers.length).toBe(1)
  // The end of the conversation is measured late.
  await page.getByRole('log').dispatchEvent('scroll')
  await page.unroute(/\/timeline\?/)
  answers[0]?.()
  await page.getByText('Answer t150', { exact: true }).waitFor()
  await expect.poll(async () => (await marks(page)).current).toEqual(['answer t150'])
})

test('a text that is in no item is reported, and a slower answer to fewer letters is not shown', async () => {
  const { page, hub } = await openLong()
  const answers: (() => void)[] = []
  const requests: string[] = []
  await page.route(/\/find\?/, async (route) => {
    requests.push(new URL(route.request().url()).searchParams.get('q') ?? '')
    if (requests.length === 1) await new Promise<void>((resolve) => answers.push(resolve))
    await route.fallback()
  })
  await find(page, 'A')
  await expect.poll(() => requests).toEqual(['A'])
  await page.keyboard.type('nswer t299')
  expect(requests).toEqual(['A'])
  answers[0]?.()
  await page.getByText('1 of 1', { exact: true }).waitFor()
  expect(requests).toEqual(['A', 'Answer t299'])
  await page.keyboard.type('!')
  await page.getByText('No match').waitFor()
  expect(hub.isUp).toBe(true)
  await page.unroute(/\/find\?/)
})

test('the output of a folded tool call is unfolded where it was found', async () => {
  const { page } = await openLong((session) => {
    session.append(
      { type: 'turn.queued', data: { turnId: 'x', prompt: [{ type: 'text', text: 'go' }] } },
      { type: 'turn.started', data: { turnId: 'x' } },
      ...['one', 'two', 'three'].map((name) => readCall(name)),
      { type: 'turn.ended', data: { turnId: 'x', stopReason: 'end_turn' } },
    )
  })
  await page.getByText('Read 3 files').waitFor()
  // At once: the beginning is also in another call, which would be unfolded first.
  await page.keyboard.press('Control+f')
  await page.keyboard.insertText('content of two')
  await page.getByText('1 of 1', { exact: true }).waitFor()
  await page.getByText('The content of two').waitFor()
  await expect.poll(() => page.getByText('The content of three').count()).toBe(0)
  await expect.poll(async () => (await marks(page)).current).toEqual(['content of two'])
})

async function openLong(more: (session: ScriptedSession) => void = () => {}) {
  const opened = await stage.openWith((session, hub) => {
    for (let number = 0; number < 300; number += 1) session.append(...turn(`t${number}`))
    more(session)
    answerInParts(session, hub)
  })
  await opened.page.getByText('Answer t299', { exact: true }).waitFor()
  return opened
}

async function find(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+f')
  await page.getByRole('textbox', { name: 'Find in the conversation' }).pressSequentially(text)
}

function marks(page: Page): Promise<{ all: string[]; current: string[] }> {
  return page.evaluate(() => {
    const read = (name: string) =>
      [...(CSS.highlights.get(name) ?? [])].map((range) =>
        (range as Range).toString().toLowerCase(),
      )
    return { all: read('found'), current: read('found-current') }
  })
}

function turn(turnId: string): EventBody[] {
  const content = { type: 'text', text: `Answer ${turnId}` } as const
  return [
    { type: 'turn.queued', data: { turnId, prompt: [{ type: 'text', text: `Ask ${turnId}` }] } },
    { type: 'turn.started', data: { turnId } },
    update(turnId, { sessionUpdate: 'agent_message_chunk', content }),
    { type: 'turn.ended', data: { turnId, stopReason: 'end_turn' } },
  ]
}

function readCall(name: string): EventBody {
  return update('x', {
    sessionUpdate: 'tool_call',
    toolCallId: name,
    title: `Read ${name}`,
    kind: 'read',
    status: 'completed',
    content: [{ type: 'content', content: { type: 'text', text: `The content of ${name}` } }],
  })
}

function update(turnId: string, fields: SessionUpdate): EventBody {
  return { type: 'acp.update', data: { turnId, update: fields } }
}
