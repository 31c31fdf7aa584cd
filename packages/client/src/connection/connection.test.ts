// Connecting, reconnecting and closing, with fake sockets and time.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AgentChatClient } from '../client.js'
import { ScriptedHub } from '../testing/scripted-hub.js'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a connection that has died without a word is noticed and replaced, and nothing is missed', async () => {
  const hub = new ScriptedHub()
  const scripted = hub.addSession()
  await using client = hub.client()
  const session = await client.openSession(scripted.id)
  const events = session.log({ after: 0 })
  await events.next()

  hub.isUp = false
  scripted.append({ type: 'notice', data: { severity: 'info', code: 'n', message: 'unheard' } })
  await vi.advanceTimersByTimeAsync(30_000)
  expect(client.connection.state).toBe('open')
  await vi.advanceTimersByTimeAsync(15_000)
  expect(client.connection.state).not.toBe('open')
  hub.isUp = true
  await vi.advanceTimersByTimeAsync(1_000)

  expect((await events.next()).value).toMatchObject({ seq: 2, data: { message: 'unheard' } })
  expect(client.connection.state).toBe('open')
})

test('a prompt that can be given up waits for the hub however long it is away, and is one turn', async () => {
  const hub = new ScriptedHub()
  const scripted = hub.addSession()
  await using client = hub.client({ reconnect: { minDelayMs: 250, maxDelayMs: 16_000 } })
  const session = await client.openSession(scripted.id)
  await client.connect()
  hub.isUp = false
  hub.drop()

  const { accepted } = session.prompt('hello', { signal: new AbortController().signal })
  await vi.advanceTimersByTimeAsync(5 * 60_000)
  hub.isUp = true
  await vi.advanceTimersByTimeAsync(60_000)
  await accepted
  expect(scripted.log.filter(({ type }) => type === 'turn.queued')).toHaveLength(1)
})

test('a connection that answers is left alone, however quiet its sessions are', async () => {
  const hub = new ScriptedHub()
  await using client = hub.client()
  await client.connect()
  const states = watch(client)

  await vi.advanceTimersByTimeAsync(600_000)

  expect(states).toEqual([])
})

test('without reconnection a lost connection is the end, and can be opened again by hand', async () => {
  const hub = new ScriptedHub()
  await using client = hub.client({ reconnect: false })
  const session = await client.openSession(hub.addSession().id)
  const events = session.log({ after: 0 })
  await events.next()

  const next = events.next()
  hub.drop()
  await expect(next).rejects.toMatchObject({ code: 'unreachable' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(client.connection).toMatchObject({ state: 'closed', error: { code: 'unreachable' } })
  await client.connect()
  expect(client.connection.state).toBe('open')
})

test('whoever connects while the next attempt is far away need not wait for it', async () => {
  const hub = new ScriptedHub()
  await using client = hub.client({ reconnect: { minDelayMs: 60_000, maxDelayMs: 60_000 } })
  await client.connect()
  hub.isUp = false
  hub.drop()
  await vi.waitUntil(() => client.connection.state === 'waiting')
  hub.isUp = true

  await client.connect()
  expect(client.connection.state).toBe('open')
})

test('pauses grow while the hub is away, and the connection says when it tries again', async () => {
  const hub = new ScriptedHub()
  await using client = hub.client({ reconnect: { minDelayMs: 1_000, maxDelayMs: 8_000 } })
  await client.connect()
  const pauses: number[] = []
  client.on('connection', (now) => {
    if (now.state === 'waiting') pauses.push((now.retryAt ?? 0) - Date.now())
  })

  hub.isUp = false
  hub.drop()
  await vi.advanceTimersByTimeAsync(60_000)

  const limits = [1_000, 2_000, 4_000, 8_000, 8_000]
  expect(pauses.length).toBeGreaterThan(limits.length)
  for (const [attempt, full] of limits.entries()) {
    expect(pauses[attempt]).toBeGreaterThanOrEqual(full / 2)
    expect(pauses[attempt]).toBeLessThanOrEqual(full)
  }
})

test.each([
  ['a visible page waits at most five seconds between attempts', false, 5_000],
  ['a hidden page waits longer between attempts', true, 16_000],
])('%s', async (_name, hidden, longest) => {
  const { page } = standInABrowser()
  page.hidden = hidden
  const hub = new ScriptedHub()
  await using client = hub.client({ reconnect: { minDelayMs: 16_000, maxDelayMs: 16_000 } })
  await client.connect()
  const pauses: number[] = []
  client.on('connection', (now) => {
    if (now.state === 'waiting') pauses.push((now.retryAt ?? 0) - Date.now())
  })

  hub.isUp = false
  hub.drop()
  await vi.advanceTimersByTimeAsync(60_000)

  expect(pauses.length).toBeGreaterThan(2)
  expect(Math.max(...pauses)).toBeLessThanOrEqual(longest)
  expect(Math.max(...pauses) > 5_000).toBe(hidden)
})

test('without a network nothing is tried until the browser says that it is back', async () => {
  const { browser, navigator } = standInABrowser()
  const hub = new ScriptedHub()
  await using client = hub.client()
  await client.connect()
  const states = watch(client)

  navigator.onLine = false
  hub.isUp = false
  hub.drop()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(client.connection).toEqual({ state: 'waiting', attempt: 1, isOffline: true })
  navigator.onLine = true
  hub.isUp = true
  browser.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)

  expect(states).toEqual(['waiting', 'connecting', 'open'])
})

test.each(['http://127.0.0.1:4444', 'http://localhost:4444', 'http://[::1]:4444'])(
  'a hub at %s is on this machine: it is tried again although the browser has no network',
  async (url) => {
    const { navigator } = standInABrowser()
    const hub = new ScriptedHub()
    await using client = hub.client({ url })
    await client.connect()

    navigator.onLine = false
    hub.isUp = false
    hub.drop()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(client.connection).not.toMatchObject({ isOffline: true })
    hub.isUp = true
    await vi.advanceTimersByTimeAsync(1_000)

    expect(client.connection.state).toBe('open')
  },
)

test('a page that comes back looks at once whether its connection still lives', async () => {
  const browser = new EventTarget()
  const addEventListener = browser.addEventListener.bind(browser)
  vi.stubGlobal('document', { hidden: false, addEventListener, removeEventListener: () => {} })
  vi.stubGlobal('addEventListener', addEventListener)
  vi.stubGlobal('removeEventListener', () => {})
  const hub = new ScriptedHub()
  await using client = hub.client()
  await client.connect()

  hub.isUp = false
  browser.dispatchEvent(new Event('pageshow'))
  await vi.advanceTimersByTimeAsync(6_000)
  expect(client.connection.state).not.toBe('open')
  hub.isUp = true
  await vi.advanceTimersByTimeAsync(1_000)

  expect(client.connection.state).toBe('open')
})

test('whoever hears of a sign-out may connect again at once', async () => {
  const hub = new ScriptedHub()
  await using client = hub.client()
  await client.connect()
  const states = watch(client)
  client.on('connection', ({ state }) => {
    if (state !== 'closed' || hub.isSignedIn) return
    hub.isSignedIn = true
    void client.connect()
  })

  hub.isSignedIn = false
  hub.drop()
  await vi.advanceTimersByTimeAsync(60_000)

  expect(states).toEqual(['waiting', 'connecting', 'closed', 'connecting', 'open'])
})

function standInABrowser() {
  const browser = new EventTarget()
  const navigator = { onLine: true }
  const addEventListener = browser.addEventListener.bind(browser)
  const removeEventListener = browser.removeEventListener.bind(browser)
  const page = { hidden: false, addEventListener, removeEventListener }
  vi.stubGlobal('document', page)
  vi.stubGlobal('addEventListener', addEventListener)
  vi.stubGlobal('removeEventListener', removeEventListener)
  vi.stubGlobal('navigator', navigator)
  return { browser, navigator, page }
}

function watch(client: AgentChatClient): string[] {
  const states: string[] = []
  client.on('connection', ({ state }) => states.push(state))
  return states
}
