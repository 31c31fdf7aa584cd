// Pages of a timeline add up to the whole transcript.
import { foldEvents, inReadingOrder, saveState } from '@quayside/protocol'
import type { EventPage, Item, SessionDetail, Timeline } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { startTestHub, type TestHub, type TestSession } from './test-hub.js'

test('pages of a timeline put together are the whole, also where prompts waited and sessions were resumed', async () => {
  await using hub = await startTestHub()
  const session = await hub.createSession()
  for (let round = 0; round < 3; round += 1) {
    await promptWhileAsked(session)
    await hub.post(`${session.path}/complete`, {})
    await hub.post(`${session.path}/resume`, {})
    await session.run('echo back')
  }

  const { events, lastSeq } = await hub.get<EventPage>(`${session.path}/events?limit=1000`)
  const whole = inReadingOrder(foldEvents(events).items)
  for (const limit of [1, 3, 10, 500]) {
    const items = await readParts(hub, `${session.path}/timeline?limit=${limit}`, lastSeq + 1)
    expect(inReadingOrder(items), `limit ${limit}`).toEqual(whole)
  }
})

/** The items of all parts before `end`. A later part has the newer state of an item. */
async function readParts(hub: TestHub, path: string, end: number): Promise<readonly Item[]> {
  const items = new Map<string, Item>()
  for (let before: number | undefined = end; before !== undefined;) {
    const page: Timeline = await hub.get<Timeline>(`${path}&before=${before}`)
    expect(page.before ?? 0).toBeLessThan(before)
    for (const item of page.items.filter(({ id }) => !items.has(id))) items.set(item.id, item)
    before = page.before
  }
  return [...items.values()]
}

/** A prompt that comes in the middle of another turn, which continues after it. */
async function promptWhileAsked(session: TestSession): Promise<void> {
  const first = await session.prompt('ask')
  const { data } = await session.feed.until(
    'permission.requested',
    ({ turnId }) => turnId === first.turnId,
  )
  const second = await session.prompt('tools')
  await session.answer(data.permissionId, 'allow_once')
  await session.feed.until('turn.ended', ({ turnId }) => turnId === second.turnId)
}

test('every part of a timeline has the state after its events', async () => {
  await using hub = await startTestHub()
  const session = await hub.createSession()
  for (let round = 0; round < 5; round += 1) await session.run('tools')
  await session.run('usage')

  const { state, before = 0 } = await hub.get<Timeline>(`${session.path}/timeline?limit=3`)
  expect(before).toBeGreaterThan(1)
  expect(state.configOptions.map(({ id }) => id)).toEqual(['mode', 'model'])
  expect(state.commands.map(({ name }) => name)).toContain('tools')
  expect(state.usage?.size).toBeGreaterThan(0)
  expect(state.agent?.how).toBe('new')
  const earlier = await hub.get<Timeline>(`${session.path}/timeline?limit=3&before=${before}`)
  const { events } = await hub.get<EventPage>(`${session.path}/events?limit=${before - 1}`)
  const folded = JSON.stringify(saveState(foldEvents(events)))
  expect(earlier.state).toEqual(JSON.parse(folded))
  expect(earlier.state).toMatchObject({ seq: before - 1, usage: null })
})

test('a session is read with all of its messages, or without them', async () => {
  await using hub = await startTestHub()
  const session = await hub.createSession()
  await session.run('echo hello')
  const whole = await hub.get<SessionDetail>(session.path)
  expect(whole.messages).toHaveLength(2)
  const { messages, ...rest } = await hub.get<SessionDetail>(`${session.path}?messages=0`)
  expect(messages).toEqual([])
  expect(rest).toEqual({ ...whole, messages: undefined })
  expect((await hub.fetch(`${session.path}?messages=no`)).status).toBe(400)
})
