// Sessions of a real hub through the client: prompts, permissions, the queue, options, and reads.
import { foldEvents, inReadingOrder } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestHub, type TestHub } from '../../hub/test/test-hub.js'
import type { AgentSession, ChatEvent, ChatEventOf, ChatEventType, Turn } from '../src/index.js'
import { SessionStore } from '../src/react/session-store.js'
import { clientOf, inTime, logOf } from './hub-client.js'

let hub: TestHub
beforeAll(async () => {
  hub = await startTestHub({ sharesAgent: true, env: { AGENT_MAX_SESSIONS: '100' } })
})
afterAll(() => hub[Symbol.asyncDispose]())

test('a permission is answered by its kind', async () => {
  await using client = clientOf(hub.hub.address)
  const session = await client.newSession({ repo: 'shop-api' })
  const turn = session.prompt('ask')
  for await (const event of turn)
    if (event.type === 'permission_request')
      await session.respond(event.permissionId, { kind: 'allow_always' })

  expect(await turn).toMatchObject({ text: 'selected allow_always', stopReason: 'end_turn' })
})

test('an id belongs to one prompt: the same content is the same turn, another one is refused', async () => {
  await using client = clientOf(hub.hub.address)
  const session = await client.newSession({ repo: 'shop-api' })
  const turn = session.prompt('echo one', { id: 'mine' })
  expect(await session.prompt('echo one', { id: 'mine' }).accepted).toEqual(await turn.accepted)
  const other = session.prompt('echo other', { id: 'mine' })
  await expect(other.accepted).rejects.toMatchObject({ code: 'turn_id_taken' })
  expect(await turn).toMatchObject({ text: 'one' })
})

test('two clients see the same turn, and the first answer wins', async () => {
  await using one = clientOf(hub.hub.address)
  await using two = clientOf(hub.hub.address)
  const mine = await one.newSession({ repo: 'shop-api' })
  const theirs = await two.openSession(mine.id)
  const asked = next(theirs, 'permission_request')
  const ended = next(theirs, 'turn_end')
  const heard = next(theirs, 'user_message')

  const turn = mine.prompt('ask')
  const { permissionId } = await asked
  await theirs.respond(permissionId, 'reject_once')

  await expect(mine.respond(permissionId, 'allow_once')).rejects.toMatchObject({
    code: 'permission_not_pending',
  })
  expect(await turn).toMatchObject({ text: 'selected reject_once' })
  expect(await heard).toMatchObject({ text: 'ask', turnId: turn.id })
  expect(await ended).toMatchObject({ turnId: turn.id, stopReason: 'end_turn' })
})

test('a page that is loaded again opens its session by id and finds everything', async () => {
  await using before = clientOf(hub.hub.address)
  const { id } = await before.newSession({ repo: 'shop-api', title: 'Kept' })
  await (await before.openSession(id)).prompt('echo lighthouse')
  before.close()

  await using client = clientOf(hub.hub.address)
  const session = await client.openSession(id)
  const { items, seq } = await session.timeline()
  const { sessions } = await client.sessions.list({ q: 'lighthouse' })

  expect(session.info).toMatchObject({ id, title: 'Kept', lastSeq: seq })
  expect(items.map(({ type }) => type)).toEqual(['user', 'text', 'turn_end'])
  expect(sessions.map((listed) => listed.id)).toEqual([id])
})

test('events after any point are the rest of all events', async () => {
  await using client = clientOf(hub.hub.address)
  const session = await client.newSession({ repo: 'shop-api' })
  await session.prompt('usage')
  const end = (await all(session.prompt('tools'))).at(-1)!.seq
  const readFrom = async (after: number) => {
    const read: ChatEvent[] = []
    for await (const event of session.events({ after })) {
      if (event.seq > end) break
      read.push(event)
      if (event.seq === end && event.type === 'status') break
    }
    return read
  }
  const whole = await readFrom(0)

  for (const after of new Set(whole.map(({ seq }) => seq)))
    if (after < end)
      expect(await readFrom(after), `after ${after}`).toEqual(
        whole.filter(({ seq }) => seq > after),
      )
})

test('what waits in the queue can be edited, moved, taken back and sent now', async () => {
  await using client = clientOf(hub.hub.address)
  const session = await client.newSession({ repo: 'shop-api' })
  const running = session.prompt('slow 60')
  await running.accepted
  const turns = ['echo one', 'echo two', 'echo three'].map((text) => session.prompt(text))
  const [one, two, three] = turns as [Turn, Turn, Turn]
  for (const turn of turns) expect(await turn.accepted).toMatchObject({ queued: true })

  await session.queue.edit(one.id, 'echo edited')
  await session.queue.move(three.id, one.id)
  await two.cancel()
  const queue = await session.queue.list()
  expect(queue.map(({ turnId }) => turnId)).toEqual([three.id, one.id])
  expect(await two).toMatchObject({ stopReason: 'cancelled', text: '' })
  await session.queue.sendNow(one.id)

  expect(await running).toMatchObject({ stopReason: 'cancelled' })
  expect(await one).toMatchObject({ text: 'edited' })
  expect(await three).toMatchObject({ text: 'three' })
})

test('a prompt that cannot wait stops what runs and goes first', async () => {
  await using client = clientOf(hub.hub.address)
  const session = await client.newSession({ repo: 'shop-api' })
  const running = session.prompt('slow 600')
  for await (const event of running) if (event.type === 'turn_start') break
  const waiting = session.prompt('echo Later')
  await waiting.accepted

  expect(await session.prompt('echo Now', { when: 'now' })).toMatchObject({ text: 'Now' })
  expect(await running).toMatchObject({ stopReason: 'cancelled' })
  expect(await waiting).toMatchObject({ text: 'Later' })
  const asked = (await logOf(hub, session.id)).flatMap((event) =>
    event.type === 'turn.started' ? [event.data.turnId] : [],
  )
  expect(asked.at(-1)).toBe(waiting.id)
  expect(await session.prompt('echo At once', { when: 'now' })).toMatchObject({ text: 'At once' })
})

test('a timeout stops the agent', async () => {
  await using client = clientOf(hub.hub.address)
  const session = await client.newSession({ repo: 'shop-api' })
  const ended = next(session, 'turn_end')
  const turn = session.prompt('slow 60', { signal: AbortSignal.timeout(50) })

  await expect(turn).rejects.toMatchObject({ code: 'aborted' })
  expect(await ended).toMatchObject({ turnId: turn.id, stopReason: 'cancelled' })
})

test('questions are answered and options are set', async () => {
  await using client = clientOf(hub.hub.address)
  const session = await client.newSession({ repo: 'shop-api' })
  const turn = session.prompt('question')
  for await (const event of turn)
    if (event.type === 'question') await session.answer(event.questionId, { action: 'decline' })
  expect(await turn).toMatchObject({ text: 'decline' })

  const changed = next(session, 'config', ({ modes }) => modes?.currentModeId === 'code')
  await session.setConfig('mode', 'code')
  expect(await changed).toMatchObject({ type: 'config' })
})

test('a session starts with its options and its first prompt, or not at all', async () => {
  await using client = clientOf(hub.hub.address)
  const wish = { repo: 'shop-api', prompt: 'echo first' }
  const before = await client.sessions.list()

  const session = await client.newSession({ ...wish, config: { mode: 'code' } })
  const told: string[] = []
  for await (const event of session.events()) {
    if (event.type === 'config') told.push(event.modes?.currentModeId ?? '')
    if (event.type === 'text_delta') told.push(event.delta)
    if (event.type === 'turn_end') break
  }
  expect(told.slice(-2)).toEqual(['code', 'first'])

  const refused = client.newSession({ ...wish, config: { mode: 'no such mode' } })
  await expect(refused).rejects.toMatchObject({ code: 'invalid_settings' })
  const after = await client.sessions.list()
  expect(after.total).toBe(before.total + 1)
  expect(after.sessions.map(({ id }) => id)).toContain(session.id)
})

test('an uploaded picture goes with a prompt', async () => {
  await using client = clientOf(hub.hub.address)
  const session = await client.newSession({ repo: 'shop-api' })
  const png = Uint8Array.from(atob(PIXEL), (character) => character.charCodeAt(0))

  const { url, mimeType } = await client.upload(png, { mimeType: 'image/png' })
  await session.prompt(['echo seen', { type: 'image', mimeType, uri: url }])

  const [queued] = (await logOf(hub, session.id)).filter(({ type }) => type === 'turn.queued')
  expect(queued?.data).toMatchObject({ prompt: [{ type: 'text' }, { type: 'image', uri: url }] })
})

test('a session is renamed, completed, resumed by a prompt, exported, and removed for good', async () => {
  await using client = clientOf(hub.hub.address)
  const session = await client.newSession({ repo: 'shop-api' })

  expect(await session.change({ title: 'Named' })).toMatchObject({ title: 'Named' })
  expect(await session.complete()).toMatchObject({ status: 'completed' })
  expect(await session.prompt('echo back')).toMatchObject({ text: 'back' })
  expect(await session.export('md')).toMatch(/^# Named\n[\s\S]*echo back/)
  expect(await session.export('jsonl')).toMatch(/^\{"role":"user","text":"echo back"/m)
  await session.delete({ purge: true })

  await expect(client.openSession(session.id)).rejects.toMatchObject({ code: 'session_not_found' })
})

test('a session that is deleted elsewhere ends its readers and its store', async () => {
  await using client = clientOf(hub.hub.address)
  await using other = clientOf(hub.hub.address)
  const session = await client.newSession({ repo: 'shop-api' })
  const store = new SessionStore(client, session.id)
  const stop = store.use()
  await changed(store.view, () => store.view.get().is === 'ready')
  const read = async () => {
    for await (const { type } of session.log({ after: 0 })) void type
  }
  const ended = expect(read()).rejects.toMatchObject({ code: 'session_not_found' })

  await other.sessions.delete(session.id, { purge: true })

  await ended
  await changed(store.view, () => store.view.get().is === 'missing')
  stop()
})

test('a cursor beyond the log is reported, and later events follow once', async () => {
  await using client = clientOf(hub.hub.address)
  const session = await client.newSession({ repo: 'shop-api' })
  await session.prompt('echo before')
  const { lastSeq } = await client.sessions.get(session.id)
  const events = session.events({ after: lastSeq + 100 })

  const { value: first } = await events.next()
  expect(first).toMatchObject({ type: 'error', seq: lastSeq, error: { code: 'cursor_ahead' } })
  await session.prompt('echo after')
  const texts: string[] = []
  for await (const event of events) {
    if (event.type === 'text_delta') texts.push(event.delta)
    if (event.type === 'turn_end') break
  }
  expect(texts.join('')).toBe('after')
})

test('a long session is opened at its end and read backwards to its beginning', async () => {
  await using client = clientOf(hub.hub.address)
  const session = await client.newSession({ repo: 'shop-api' })
  for (let turn = 0; turn < 36; turn += 1) await session.prompt('tools')
  const events = await logOf(hub, session.id)
  expect(events.length).toBeGreaterThan(500)

  const store = new SessionStore(client, session.id)
  const stop = store.use()
  await changed(store.view, () => store.view.get().is === 'ready')
  const atFirst = store.rows.get().ids.length
  await session.prompt('echo last')
  await changed(store.view, () => store.view.get().activity === 'idle' && hasLast(store))
  while (store.rows.get().hasOlder) await store.rows.get().loadOlder()
  stop()

  const whole = inReadingOrder(foldEvents(await logOf(hub, session.id)).items)
  expect(atFirst).toBeLessThan(whole.length / 2)
  expect(store.rows.get().ids).toEqual(whole.map(({ id }) => id))
  expect(store.rows.get().ids.map((id) => store.item(id))).toEqual(whole)
  expect(store.view.get()).toMatchObject({ status: 'active', activity: 'idle' })
})

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

function hasLast(store: SessionStore): boolean {
  return store.rows.get().ids.some((id) => {
    const item = store.item(id)
    return item?.type === 'text' && item.text === 'last'
  })
}

async function changed(
  watched: { subscribe(listener: () => void): () => void; get(): unknown },
  isIt: () => boolean,
): Promise<void> {
  const isTrue = new Promise<void>((resolve) => {
    const look = (): void => {
      if (!isIt()) return
      stop()
      resolve()
    }
    const stop = watched.subscribe(look)
    look()
  })
  await inTime(isTrue, () => watched.get())
}

function next<Type extends ChatEventType>(
  session: AgentSession,
  type: Type,
  matches: (event: ChatEventOf<Type>) => boolean = () => true,
): Promise<ChatEventOf<Type>> {
  const seen: ChatEventType[] = []
  session.on('*', (event) => seen.push(event.type))
  const found = new Promise<ChatEventOf<Type>>((resolve) => {
    session.on(type, (event) => {
      if (matches(event)) resolve(event)
    })
  })
  return inTime(found, () => seen)
}

async function all(turn: Turn): Promise<ChatEvent[]> {
  const events: ChatEvent[] = []
  for await (const event of turn) events.push(event)
  return events
}
