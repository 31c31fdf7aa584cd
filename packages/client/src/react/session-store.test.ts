// A deleted session, and one from a restored backup, in the session store.
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

/** Unlike `expect.poll`, it does not advance the fake time. */
async function passTurns(until: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1_000 && !until(); turn += 1)
    await new Promise((resolve) => setImmediate(resolve))
}
