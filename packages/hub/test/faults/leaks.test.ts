// Sessions that are opened and closed (8 in `npm test`, 1,000 in `npm run test:torture`) leave no descriptor, process, listener or timer.
import { EventEmitter } from 'node:events'
import { readdirSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { IdleWatch } from '../../src/sessions/live/idle-watch.js'
import { processTable } from '../orphans-fixture.js'
import { startTestHub, type TestHub } from '../test-hub.js'
import { figure, isTorture } from './figure.js'
import { LivingListeners } from './living-listeners.js'

const SESSIONS = isTorture ? 1_000 : 8
const AT_ONCE = 8
/** Each of these has a process of its own; the others share one. */
const OWN_PROCESS = 16
const WARM_UP = 16
/** Connections that are kept alive, and files of the database that are opened on demand. */
const MAX_MORE = 4
const MAX_HEAP_BYTES_PER_SESSION = 20_000
/** Less than one for each session. The connections of the test itself have some. */
const MAX_LISTENERS_PER_SESSION = 0.5

test.skipIf(process.platform !== 'linux')(
  `${SESSIONS} sessions leave nothing behind`,
  { timeout: 600_000 },
  async ({ task }) => {
    using listeners = new LivingListeners()
    await using hub = await openHub()
    await live(hub, WARM_UP)
    const [before, heapBefore, listenersBefore] = [await measure(), heapUsed(), listeners.count]
    await live(hub, SESSIONS)
    await expect.poll(async () => grown(before, await measure())).toEqual([])
    if (isTorture) {
      const heap = (heapUsed() - heapBefore) / SESSIONS
      const more = (listeners.count - listenersBefore) / SESSIONS
      console.info(`${Math.round(heap)} bytes and ${more.toFixed(2)} listeners a session`)
      expect(heap).toBeLessThan(MAX_HEAP_BYTES_PER_SESSION)
      expect(more).toBeLessThan(MAX_LISTENERS_PER_SESSION)
    }
    figure(task, { what: 'sessions opened and closed', count: SESSIONS })
  },
)

test.skipIf(process.platform !== 'linux')('a timer for each session is found', async () => {
  using stop = vi.spyOn(IdleWatch.prototype, 'stop').mockImplementation(() => {})
  await using hub = await openHub()
  const before = await measure()
  await live(hub, WARM_UP)
  expect(grown(before, await measure()).join()).toContain('Timeout')
  expect(stop).toHaveBeenCalled()
})

test('a listener for each session is found', () => {
  using listeners = new LivingListeners()
  const [emitter, { signal }] = [new EventEmitter().setMaxListeners(0), new AbortController()]
  const before = listeners.count
  for (let session = 0; session < 100; session += 1) {
    emitter.on('change', () => session)
    signal.addEventListener('abort', () => session)
  }
  expect(listeners.count - before).toBe(200)
})

function openHub(): Promise<TestHub> {
  // Timers that are left over must not outlive the test by much.
  const env = { AGENT_MAX_SESSIONS: '50', AGENT_SESSION_IDLE_TIMEOUT: '1' }
  return startTestHub({ sharesAgent: true, env })
}

async function live(hub: TestHub, count: number): Promise<void> {
  let begun = 0
  const lane = async (): Promise<void> => {
    while (begun < count) {
      begun += 1
      await liveOne(hub, begun)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}

/** Opens, follows, prompts and ends a session, in turn by each of the ways to end it. */
async function liveOne(hub: TestHub, number: number): Promise<void> {
  const session = await hub.createSession(number % OWN_PROCESS === 0 ? 'demo-alone' : 'demo')
  const stream = await hub.fetch(`${session.path}/events`, {
    headers: { accept: 'text/event-stream' },
  })
  await session.run(number % 3 === 0 ? 'tools' : 'echo hello')
  await stream.body?.cancel()
  if (number % 2 === 0) session.feed.close()
  const ending = number % 3 === 0 ? hub.post(`${session.path}/complete`, {}) : undefined
  await ending
  await hub.fetch(`${session.path}?purge=${number % 2 === 0}`, { method: 'DELETE' })
  session.feed.close()
  // The memory of the hub is measured, not that of the test.
  session.feed.events.length = 0
}

type Measured = Readonly<Record<string, number>>

/** The open things of this process, by kind. Agents are its children. */
async function measure(): Promise<Measured> {
  const counts: Record<string, number> = {
    descriptors: readdirSync('/proc/self/fd').length,
    children: processTable().filter(({ ppid }) => ppid === process.pid).length,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
  }
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

function grown(before: Measured, after: Measured): string[] {
  return Object.entries(after)
    .filter(([kind, count]) => count > (before[kind] ?? 0) + MAX_MORE)
    .map(([kind, count]) => `${kind}: ${before[kind] ?? 0} → ${count}`)
}

function heapUsed(): number {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  gc()
  gc()
  return process.memoryUsage().heapUsed
}
