import type { SessionEvent } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { ScriptedHub, SESSION_ID, failure, note } from '../test/scripted-hub.js'
import type { AgentSession } from './agent-session.js'
import type { AgentChatClient } from './client.js'
import { delayMs } from './feed.js'

test('past events come first, then new ones', async () => {
  await using hub = await new ScriptedHub().listen()
  hub.append(note('1'), note('2'))
  await using client = hub.client()
  const events = (await open(hub, client)).events()

  expect(await take(events, 2)).toEqual([1, 2])
  hub.append(note('3'))
  expect(await take(events, 1)).toEqual([3])
})

test('a dropped socket leaves no gap and no repeat', async () => {
  await using hub = await new ScriptedHub().listen()
  hub.append(note('1'), note('2'))
  await using client = hub.client()
  const events = (await open(hub, client)).events()
  expect(await take(events, 2)).toEqual([1, 2])

  hub.drop()
  hub.append(note('while nobody listens'))
  await hub.followed(2)
  hub.append(note('after the return'))

  expect(await take(events, 2)).toEqual([3, 4])
  expect(hub.requests.map(({ params }) => params.after)).toEqual([0, 2])
})

test('a hub that restarts is found again', async () => {
  await using hub = await new ScriptedHub().listen()
  hub.append(note('1'))
  await using client = hub.client()
  const states = [client.connection]
  client.watchConnection((state) => states.push(state))
  const events = (await open(hub, client)).events()
  await take(events, 1)

  await hub.stop()
  hub.append(note('2'))
  await hub.listen()

  expect(await take(events, 1)).toEqual([2])
  expect(states).toEqual(['idle', 'connecting', 'connected', 'reconnecting', 'connected'])
})

test('events that were already read are dropped, missing ones are asked for again', async () => {
  await using hub = await new ScriptedHub().listen()
  hub.append(note('1'), note('2'), note('3'), note('4'))
  hub.replay = (events) => {
    hub.replay = (again) => again
    return [...events.slice(0, 2), ...events.slice(0, 2), ...events.slice(3)]
  }
  await using client = hub.client()
  const events = (await open(hub, client)).events()

  expect(await take(events, 4)).toEqual([1, 2, 3, 4])
})

test('two readers of one session each see everything once', async () => {
  await using hub = await new ScriptedHub().listen()
  hub.append(note('1'), note('2'))
  await using client = hub.client()
  const session = await open(hub, client)
  const early = session.events()
  await take(early, 2)
  const late = session.events({ after: 1 })
  const first = take(late, 2)
  await hub.followed(2)
  hub.append(note('3'))

  expect(await first).toEqual([2, 3])
  expect(await take(early, 1)).toEqual([3])
})

test('an aborted iteration ends and unfollows', async () => {
  await using hub = await new ScriptedHub().listen()
  hub.append(note('1'))
  await using client = hub.client()
  const abort = new AbortController()
  const seen: number[] = []
  for await (const event of (await open(hub, client)).events({ signal: abort.signal })) {
    seen.push(event.seq)
    abort.abort()
  }
  // The hub answers in order: when the next follow is answered, the unfollow has arrived.
  await take((await open(hub, client)).events(), 1)

  expect(seen).toEqual([1])
  expect(hub.requests.map(({ method }) => method)).toEqual([
    'session/follow',
    'session/unfollow',
    'session/follow',
  ])
})

test('a refused follow throws the error of the hub', async () => {
  await using hub = await new ScriptedHub().listen()
  await using client = hub.client()
  const session = await open(hub, client)
  hub.refusal = { code: 'session_not_found', message: 'No such session.' }

  await expect(session.events().next()).rejects.toMatchObject({
    code: 'session_not_found',
    message: 'No such session.',
  })
})

test('a log that is shorter than the cursor is not waited for', async () => {
  await using hub = await new ScriptedHub().listen()
  hub.append(note('1'))
  await using client = hub.client()
  const session = await open(hub, client)

  await expect(session.events({ after: 7 }).next()).rejects.toMatchObject({
    code: 'cursor_ahead',
    details: { after: 7, lastSeq: 1 },
  })
})

test('closing the client ends every iteration', async () => {
  await using hub = await new ScriptedHub().listen()
  await using client = hub.client()
  const next = (await open(hub, client)).events().next()
  await hub.followed(1)

  client.close()

  expect(await next).toEqual({ done: true, value: undefined })
  await expect(client.connect()).rejects.toMatchObject({ code: 'closed' })
})

test('whoever is signed out learns it instead of trying for ever', async () => {
  await using hub = await new ScriptedHub().listen()
  hub.append(note('1'))
  await using client = hub.client()
  const events = (await open(hub, client)).events()
  await take(events, 1)

  hub.isAuthorized = () => false
  hub.drop()

  await expect(events.next()).rejects.toMatchObject({ code: 'unauthorized' })
  expect(client.connection).toBe('unauthorized')
})

test('connecting to nothing fails and says so', async () => {
  const hub = await new ScriptedHub().listen()
  await hub.stop()
  await using client = hub.client()

  await expect(client.connect()).rejects.toMatchObject({ code: 'unreachable' })
})

test('delays double up to the limit, and at least half of each is kept', () => {
  const delays = { minDelayMs: 100, maxDelayMs: 1_000 }
  for (const [attempt, full] of [100, 200, 400, 800, 1_000, 1_000].entries()) {
    expect(delayMs(attempt, delays)).toBeGreaterThanOrEqual(full / 2)
    expect(delayMs(attempt, delays)).toBeLessThanOrEqual(full)
  }
})

function open(hub: ScriptedHub, client: AgentChatClient): Promise<AgentSession> {
  hub.routes.set(`GET /api/sessions/${SESSION_ID}`, () => ({ body: { id: SESSION_ID } }))
  hub.routes.set('GET /api/sessions/gone', () => failure(404, 'session_not_found'))
  return client.openSession(SESSION_ID)
}

async function take(events: AsyncGenerator<SessionEvent>, count: number): Promise<number[]> {
  const taken: number[] = []
  while (taken.length < count) {
    const { value, done } = await events.next()
    if (done) throw new Error(`The events ended after ${taken.length} of ${count}.`)
    taken.push(value.seq)
  }
  return taken
}
