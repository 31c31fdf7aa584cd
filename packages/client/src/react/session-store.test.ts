// A removed session and its last events in the session store.
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
  await expect.poll(() => hub.calls.map(({ method }) => method)).toContain('sessions/watch')

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

/** Unlike `expect.poll`, it does not advance the fake time. */
async function passTurns(until: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1_000 && !until(); turn += 1)
    await new Promise((resolve) => setImmediate(resolve))
}
