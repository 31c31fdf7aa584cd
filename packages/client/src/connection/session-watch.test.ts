import { expect, test } from 'vitest'
import { SessionListStore } from '../react/session-list-store.js'
import { ScriptedHub } from '../testing/index.js'
import type { SessionsChange } from './session-watch.js'

test('a watch tells when it begins, of new, changed and removed sessions, and begins again after a lost connection', async () => {
  const hub = new ScriptedHub()
  await using client = hub.client()
  const told = new Told()
  client.on('sessions', told.add)
  await told.until(({ is }) => is === 'begun')

  const session = hub.addSession({ title: 'First' })
  await told.until((change) => titleIn(change) === 'First')
  session.append({ type: 'session.updated', data: { title: 'Renamed' } })
  await told.until((change) => titleIn(change) === 'Renamed')
  hub.removeSession(session.id)
  await told.until((change) => change.is === 'changed' && change.removed.includes(session.id))

  hub.drop()
  await told.until(({ is }) => is === 'begun')
  expect(hub.calls.filter(({ method }) => method === 'sessions/watch')).toHaveLength(2)
})

test('whoever watches later is told of the beginning too, and nothing after it stopped', async () => {
  const hub = new ScriptedHub()
  await using client = hub.client()
  const [first, second] = [new Told(), new Told()]
  client.on('sessions', first.add)
  await first.until(({ is }) => is === 'begun')
  const stop = client.on('sessions', second.add)
  await second.until(({ is }) => is === 'begun')

  stop()
  hub.addSession({ title: 'Later' })

  await first.until((change) => titleIn(change) === 'Later')
  expect(second.changes).toEqual([{ is: 'begun' }])
})

test('what happened while the connection was lost is in the list afterwards', async () => {
  const hub = new ScriptedHub()
  await using client = hub.client()
  const gone = hub.addSession({ title: 'Gone' })
  hub.addSession({ title: 'Stays' })
  const list = new SessionListStore(client, {})
  using _ = { [Symbol.dispose]: list.use() }
  const shows = (titles: string) =>
    shown(list, (sessions) => sessions.map(({ title }) => title).join() === titles)
  await shows('Stays,Gone')

  hub.isUp = false
  hub.drop()
  hub.removeSession(gone.id)
  hub.addSession({ title: 'New' })
  hub.isUp = true

  await shows('New,Stays')
  expect(list.view.get()).toMatchObject({ is: 'ready', error: undefined })
})

test('a list keeps to its filter as sessions change', async () => {
  const hub = new ScriptedHub()
  await using client = hub.client()
  const session = hub.addSession({ title: 'Runs' })
  const list = new SessionListStore(client, { status: ['active'] })
  using _ = { [Symbol.dispose]: list.use() }
  await shown(list, (sessions) => sessions.length === 1)

  session.end('cancelled')
  await shown(list, (sessions) => sessions.length === 0)

  hub.addSession({ title: 'Runs too' })
  await shown(list, ([only]) => only?.title === 'Runs too')
})

test('a session that a search found keeps its excerpt and its place when it changes', async () => {
  const hub = new ScriptedHub()
  await using client = hub.client()
  const session = hub.addSession({ title: 'Found' })
  const found = { excerpt: [{ text: 'lighthouse', match: true }], foundSeq: 7 }
  hub.commands['session/list'] = () => ({
    sessions: [{ ...session.summary, ...found }],
    total: 1,
    limit: 50,
    offset: 0,
    maxActive: 1,
    extensionIds: [],
  })
  const list = new SessionListStore(client, { q: 'lighthouse' })
  using _ = { [Symbol.dispose]: list.use() }
  await shown(list, (sessions) => sessions.length === 1)

  session.append({ type: 'session.updated', data: { title: 'Renamed' } })
  await shown(list, ([only]) => only?.title === 'Renamed')
  expect(list.view.get().sessions[0]).toMatchObject(found)
})

class Told {
  readonly changes: SessionsChange[] = []
  #read = 0
  #wake = () => {}

  readonly add = (change: SessionsChange): void => {
    this.changes.push(change)
    this.#wake()
  }

  /** The next one that is it, after the last one that was found. */
  async until(isIt: (change: SessionsChange) => boolean): Promise<void> {
    for (;;) {
      const found = this.changes.findIndex((change, place) => place >= this.#read && isIt(change))
      if (found >= 0) return void (this.#read = found + 1)
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}

function titleIn(change: SessionsChange): string | null | undefined {
  return change.is === 'changed' ? change.sessions[0]?.title : undefined
}

type Rows = ReturnType<SessionListStore['view']['get']>['sessions']

function shown(list: SessionListStore, isIt: (sessions: Rows) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isIt(list.view.get().sessions)) return
      unsubscribe()
      resolve()
    }
    const unsubscribe = list.view.subscribe(look)
    look()
  })
}
