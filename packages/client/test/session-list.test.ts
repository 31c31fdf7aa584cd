// The live list of sessions, with a real hub on a network that breaks.
import { expect, test } from 'vitest'
import { startTestHub } from '../../hub/test/test-hub.js'
import { SessionListStore, type SessionsView } from '../src/react/session-list-store.js'
import { BadNetwork } from './bad-network.js'
import { clientOf, inTime } from './hub-client.js'

test('a list follows a real hub: what others do, what is removed, and what happened while the network was gone', async () => {
  await using hub = await startTestHub({ sharesAgent: true })
  await using network = await BadNetwork.to(hub.hub.address)
  await using client = clientOf(network.url)
  await using other = clientOf(hub.hub.address)
  const list = new SessionListStore(client, {})
  using _ = { [Symbol.dispose]: list.use() }

  const session = await other.newSession({ repo: 'shop-api', title: 'First' })
  await shown(list, ({ sessions: [first] }) => first?.title === 'First')
  await session.prompt('echo hello')
  await shown(list, ({ sessions: [first] }) => first?.turnCount === 1)

  network.cut()
  await other.sessions.change(session.id, { title: 'Renamed', archived: true })
  const second = await other.newSession({ repo: 'shop-api', title: 'Second' })
  network.cut()

  const { sessions, total } = await shown(
    list,
    ({ sessions: rows }) => rows.map(({ title }) => title).join() === 'Second',
  )
  expect({ count: sessions.length, total }).toEqual({ count: 1, total: 1 })
  await other.sessions.delete(second.id, { purge: true })
  await shown(list, ({ sessions: rows }) => rows.length === 0)
})

function shown(
  list: SessionListStore,
  isIt: (view: SessionsView) => boolean,
): Promise<SessionsView> {
  const found = new Promise<SessionsView>((resolve) => {
    const look = () => {
      const view = list.view.get()
      if (!isIt(view)) return
      unsubscribe()
      resolve(view)
    }
    const unsubscribe = list.view.subscribe(look)
    look()
  })
  return inTime(found, () => list.view.get())
}
