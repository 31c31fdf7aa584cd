// Readers of sessions: cursors, gaps, slow readers and reconnections.
import type { SessionEvent } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { delayMs } from './connection.js'
import { MAX_WAITING } from './feed.js'
import { ScriptedHub } from '../testing/scripted-hub.js'
import type { ScriptedSession } from '../testing/scripted-session.js'

test('past events come first, then new ones', async () => {
  const { client, scripted } = hubWith(2)
  await using _ = client
  const events = (await client.openSession(scripted.id)).log({ after: 0 })

  expect(await take(events, 2)).toEqual([1, 2])
  scripted.append(note('3'))
  expect(await take(events, 1)).toEqual([3])
})

test('a dropped socket leaves no gap and no repeat', async () => {
  const { hub, client, scripted } = hubWith(2)
  await using _ = client
  const events = (await client.openSession(scripted.id)).log({ after: 0 })
  expect(await take(events, 2)).toEqual([1, 2])

  hub.drop()
  scripted.append(note('while nobody listens'))
  await hub.followed(2)
  scripted.append(note('after the return'))

  expect(await take(events, 2)).toEqual([3, 4])
  expect(hub.calls.map(({ params }) => params.after)).toEqual([0, 2])
})

test('a hub that restarts is found again, and the connection tells its states', async () => {
  const { hub, client, scripted } = hubWith(1)
  await using _ = client
  const states: string[] = [client.connection.state]
  client.on('connection', ({ state }) => states.push(state))
  const events = (await client.openSession(scripted.id)).log({ after: 0 })
  await take(events, 1)

  hub.isUp = false
  const waiting = new Promise<void>((resolve) => {
    const off = client.on('connection', (connection) => {
      if (connection.state !== 'waiting' || connection.attempt < 2) return
      off()
      resolve()
    })
  })
  hub.drop()
  await waiting
  scripted.append(note('2'))
  hub.isUp = true

  expect(await take(events, 1)).toEqual([2])
  expect(states.slice(0, 5)).toEqual(['idle', 'connecting', 'open', 'waiting', 'connecting'])
  expect(states.at(-1)).toBe('open')
})

test('events that were already read are dropped, missing ones are asked for again', async () => {
  const { hub, client, scripted } = hubWith(4)
  await using _ = client
  hub.replay = (events) => {
    hub.replay = (again) => again
    return [...events.slice(0, 2), ...events.slice(0, 2), ...events.slice(3)]
  }
  const events = (await client.openSession(scripted.id)).log({ after: 0 })

  expect(await take(events, 4)).toEqual([1, 2, 3, 4])
})

test('two readers of one session each see everything once', async () => {
  const { hub, client, scripted } = hubWith(2)
  await using _ = client
  const session = await client.openSession(scripted.id)
  const early = session.log({ after: 0 })
  await take(early, 2)
  const late = session.log({ after: 1 })
  const first = take(late, 2)
  await hub.followed(2)
  scripted.append(note('3'))

  expect(await first).toEqual([2, 3])
  expect(await take(early, 1)).toEqual([3])
})

test('a reader that falls far behind gets the rest when it has caught up', async () => {
  const { hub, client, scripted } = hubWith(1)
  await using _ = client
  const events = (await client.openSession(scripted.id)).log({ after: 0 })
  await take(events, 1)
  const all = MAX_WAITING * 2 + 10
  while (scripted.log.length < all) scripted.append(note('more'))
  // Messages keep their order: when the next call arrives, everything sent before it has been delivered.
  await client.openSession(scripted.id)

  expect(await take(events, all - 1)).toEqual(Array.from({ length: all - 1 }, (_, n) => n + 2))
  expect(hub.calls.map(({ method }) => method)).toContain('session/unfollow')
})

test('an aborted iteration ends and unfollows', async () => {
  const { hub, client, scripted } = hubWith(2)
  await using _ = client
  const session = await client.openSession(scripted.id)
  const abort = new AbortController()
  const seen: number[] = []
  for await (const event of session.log({ after: 0, signal: abort.signal })) {
    seen.push(event.seq)
    abort.abort()
  }
  // The hub answers in order: when the next follow is answered, the unfollow has arrived.
  await take(session.log({ after: 0 }), 1)

  expect(seen).toEqual([1])
  expect(hub.calls.map(({ method }) => method)).toEqual([
    'session/follow',
    'session/unfollow',
    'session/follow',
  ])
})

test('a refused follow throws the error of the hub', async () => {
  const { hub, client, scripted } = hubWith(1)
  await using _ = client
  const session = await client.openSession(scripted.id)
  hub.sessions.delete(scripted.id)

  await expect(session.log({ after: 0 }).next()).rejects.toMatchObject({
    code: 'session_not_found',
    message: 'No such session.',
  })
})

test('a log that is shorter than the cursor is not waited for', async () => {
  const { client, scripted } = hubWith(1)
  await using _ = client
  const session = await client.openSession(scripted.id)

  await expect(session.log({ after: 7 }).next()).rejects.toMatchObject({
    code: 'cursor_ahead',
    details: { after: 7, lastSeq: 1 },
  })
})

test('chat events go on after a log that became shorter, and report it', async () => {
  const { client, scripted } = hubWith(1)
  await using _ = client
  const session = await client.openSession(scripted.id)
  const events = session.events({ after: 7 })

  const error = { code: 'cursor_ahead', details: { after: 7, lastSeq: 1 } }
  expect(await events.next()).toMatchObject({ value: { type: 'error', seq: 1, error } })
  const next = events.next()
  scripted.append(note('later'))
  expect(await next).toMatchObject({ value: { type: 'notice', seq: 2, message: 'later' } })
})

test('a session that is removed ends its readers with an error', async () => {
  const { hub, client, scripted } = hubWith(1)
  await using _ = client
  const session = await client.openSession(scripted.id)
  const failures: unknown[] = []
  const reported = new Promise<void>((resolve) =>
    session.on('error', ({ error }) => {
      failures.push(error.code)
      resolve()
    }),
  )
  const events = session.log({ after: 0 })
  await take(events, 1)
  await hub.followed(2)

  hub.removeSession(scripted.id)

  await expect(events.next()).rejects.toMatchObject({ code: 'session_not_found' })
  await reported
  expect(failures).toEqual(['session_not_found'])
})

test('closing the client ends every iteration', async () => {
  const { hub, client, scripted } = hubWith(0)
  const next = (await client.openSession(scripted.id)).log().next()
  await hub.followed(1)

  client.close()

  expect(await next).toEqual({ done: true, value: undefined })
  expect(client.connection).toEqual({ state: 'closed' })
  await expect(client.connect()).rejects.toMatchObject({ code: 'closed' })
})

test('whoever is signed out learns it instead of trying for ever, and can come back', async () => {
  const { hub, client, scripted } = hubWith(1)
  await using _ = client
  const session = await client.openSession(scripted.id)
  const events = session.log({ after: 0 })
  await take(events, 1)

  hub.isSignedIn = false
  hub.drop()
  await expect(events.next()).rejects.toMatchObject({ code: 'unauthorized' })
  expect(client.connection).toMatchObject({ state: 'closed', error: { code: 'unauthorized' } })

  hub.isSignedIn = true
  await client.connect()
  expect(await take(session.log({ after: 0 }), 1)).toEqual([1])
})

test('connecting to nothing fails and says so, and goes on trying', async () => {
  const { hub, client } = hubWith(0)
  await using _ = client
  hub.isUp = false

  await expect(client.connect()).rejects.toMatchObject({ code: 'unreachable' })
  hub.isUp = true
  await new Promise<void>((resolve) =>
    client.on('connection', ({ state }) => state === 'open' && resolve()),
  )
  expect(client.connection).toEqual({ state: 'open' })
})

test('connecting can be aborted', async () => {
  const { client } = hubWith(0)
  await using _ = client

  const connecting = client.connect({ signal: AbortSignal.abort('no') })

  await expect(connecting).rejects.toMatchObject({ code: 'aborted', cause: 'no' })
})

test('delays double up to the limit, and at least half of each is kept', () => {
  const delays = { minDelayMs: 100, maxDelayMs: 1_000 }
  for (const [attempt, full] of [100, 200, 400, 800, 1_000, 1_000].entries()) {
    const some = Array.from({ length: 100 }, () => delayMs(attempt, delays))
    expect(Math.min(...some)).toBeGreaterThanOrEqual(full / 2)
    expect(Math.max(...some)).toBeLessThanOrEqual(full)
    expect(new Set(some).size).toBeGreaterThan(1)
  }
})

/** A hub with one session and `count` events in its log, at least one. */
function hubWith(count: number) {
  const hub = new ScriptedHub()
  const scripted: ScriptedSession = hub.addSession()
  while (scripted.log.length < count) scripted.append(note(String(scripted.log.length + 1)))
  return { hub, scripted, client: hub.client() }
}

function note(message: string) {
  return { type: 'notice', data: { severity: 'info', code: 'note', message } } as const
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
