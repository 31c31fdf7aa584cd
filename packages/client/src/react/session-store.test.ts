// Parts of a long session, a deleted session, and one from a restored backup, in the session store.
import type { Item } from '@quayside/protocol'
import { expect, test, vi } from 'vitest'
import { ScriptedHub } from '../testing/scripted-hub.js'
import { SessionStore } from './session-store.js'

test('a session that is removed stays removed when its last events are drawn', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const drawn = () => {
    vi.advanceTimersByTime(1)
    return store.view.get()
  }
  const hub = new ScriptedHub()
  const session = hub.addSession()
  await using client = hub.client()
  const store = new SessionStore(client, session.id)
  const stop = store.use()
  await expect.poll(() => drawn().is).toBe('ready')

  const data = { permissionId: 'last', toolCall: { toolCallId: 'c' }, options: [] }
  session.append({ type: 'permission.requested', data })
  await passTurns(() => store.item('permission:last') !== undefined)
  hub.removeSession(session.id)
  await passTurns(() => store.view.get().is === 'missing')
  expect(store.view.get()).toMatchObject({ is: 'missing', permissions: [] })

  const error = { code: 'session_not_found' }
  expect(drawn()).toMatchObject({ is: 'missing', error, permissions: [{ id: 'permission:last' }] })
  stop()
  vi.useRealTimers()
})

test('a log that became shorter is read again from its beginning', async () => {
  const hub = new ScriptedHub()
  const session = hub.addSession({ title: 'before' })
  const say = (message: string) =>
    ({ type: 'notice', data: { severity: 'info', code: 'note', message } }) as const
  for (const message of ['kept', 'lost', 'lost too']) session.append(say(message))
  await using client = hub.client()
  const store = new SessionStore(client, session.id)
  const stop = store.use()
  const messages = () =>
    store.rows.get().ids.map((id) => {
      const item = store.item(id)
      return item?.type === 'notice' ? item.message : item?.type
    })
  await expect.poll(messages).toEqual(['kept', 'lost', 'lost too'])

  const restored = hub.addSession({ id: session.id, title: 'restored' })
  restored.append(say('kept'))
  hub.drop()
  await expect.poll(messages).toEqual(['kept'])
  restored.append(say('later'))
  await expect.poll(messages).toEqual(['kept', 'later'])
  expect(store.view.get()).toMatchObject({ is: 'ready', info: { title: 'restored' } })
  stop()
})

test('parts of a long turn are merged by item, and the newer state stays', async () => {
  const hub = new ScriptedHub()
  const session = hub.addSession()
  const update = (fields: object) =>
    session.append({ type: 'acp.update', data: { turnId: 't', update: fields as never } })
  session.append({ type: 'turn.queued', data: { turnId: 't', prompt: [] } })
  session.append({ type: 'turn.started', data: { turnId: 't' } })
  update({ sessionUpdate: 'tool_call', toolCallId: 'long', title: 'Begun', status: 'pending' })
  for (let call = 0; call < 120; call += 1)
    update({ sessionUpdate: 'tool_call', toolCallId: `c${call}`, status: 'completed' })
  update({ sessionUpdate: 'tool_call_update', toolCallId: 'long', title: 'Goes on' })
  const cut = 60
  hub.commands['session/timeline'] = ({ before }) => {
    const part = session.timeline(before === undefined ? undefined : Number(before))
    if (before !== undefined) return part
    const isOpen = ({ type, done }: Item) => type === 'user' || !done
    const items = part.items.filter((item) => item.seq >= cut || isOpen(item))
    return { ...part, items, before: cut }
  }
  await using client = hub.client()
  const store = new SessionStore(client, session.id)
  const stop = store.use()
  await expect.poll(() => store.view.get().is).toBe('ready')
  const ids = () => store.rows.get().ids
  expect(ids()).not.toContain('user:t')
  expect(ids()[0]).toBe('tool:t:long')

  await store.rows.get().loadOlder()
  expect(ids()).toEqual(session.timeline().items.map(({ id }) => id))
  expect(store.item('tool:t:long')).toMatchObject({ call: { title: 'Goes on' } })
  stop()
})

test('a part around an event is away from the end, until it has grown to it', async () => {
  const hub = new ScriptedHub()
  const session = hub.addSession()
  for (let note = 1; note <= 400; note += 1)
    session.append({ type: 'notice', data: { severity: 'info', code: 'note', message: `${note}` } })
  hub.commands['session/timeline'] = ({ before }) => {
    const { items, ...part } = session.timeline(before === undefined ? undefined : Number(before))
    const shown = items.slice(-60)
    return { items: shown, ...part, ...(shown[0] && shown[0].seq > 2 && { before: shown[0].seq }) }
  }
  await using client = hub.client()
  const store = new SessionStore(client, session.id)
  const stop = store.use()
  await expect.poll(() => store.view.get().is).toBe('ready')
  const messages = (ids: readonly string[] = []) =>
    ids.flatMap((id) => {
      const item = store.item(id)
      return item?.type === 'notice' ? [Number(item.message)] : []
    })
  const from = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const seqOf = (note: number) =>
    session.log.find((event) => event.type === 'notice' && event.data.message === `${note}`)!.seq

  await store.rows.get().loadAround(seqOf(100))
  const part = () => store.rows.get().part
  expect(messages(part()?.ids)).toEqual(from(70, 129))
  expect(messages(store.rows.get().ids)).toEqual(from(341, 400))
  await part()?.loadOlder()
  await part()?.loadNewer()
  expect(messages(part()?.ids)).toEqual(from(10, 189))
  while (part()) await part()?.loadNewer()
  expect(messages(store.rows.get().ids)).toEqual(from(10, 400))

  await store.rows.get().loadAround(seqOf(5))
  expect(messages(store.rows.get().ids)).toEqual(from(1, 400))
  stop()
})

test('an event near the end leaves the part', async () => {
  const hub = new ScriptedHub()
  const session = hub.addSession()
  for (let note = 1; note <= 300; note += 1)
    session.append({ type: 'notice', data: { severity: 'info', code: 'note', message: `${note}` } })
  hub.commands['session/timeline'] = ({ before }) => {
    const { items, ...part } = session.timeline(before === undefined ? undefined : Number(before))
    return { items: items.slice(-60), ...part, before: items.at(-60)!.seq }
  }
  await using client = hub.client()
  const store = new SessionStore(client, session.id)
  const stop = store.use()
  await expect.poll(() => store.view.get().is).toBe('ready')
  await store.rows.get().loadAround(120)
  expect(store.rows.get().part?.ids).toHaveLength(60)
  await store.rows.get().loadAround(Number.POSITIVE_INFINITY)
  expect(store.rows.get().part).toBeUndefined()
  expect(store.rows.get().ids).toHaveLength(60)
  stop()
})

/** Unlike `expect.poll`, it does not advance the fake time. */
async function passTurns(until: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1_000 && !until(); turn += 1)
    await new Promise((resolve) => setImmediate(resolve))
}
