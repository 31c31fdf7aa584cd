// Following the sessions of another hub, with and without hints, and writing one after the other hub did.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Elsewhere } from '../src/cluster/elsewhere.js'
import { KnownHubs } from '../src/cluster/known-hubs.js'
import { createLog } from '../src/log.js'
import { decodeEvent } from '../src/sessions/log/encoded-events.js'
import { EventLog } from '../src/sessions/log/event-log.js'
import { Projection } from '../src/sessions/log/projection.js'
import type { ClusterStore, Hint } from '../src/store/cluster-store.js'
import { openPostgres } from '../src/store/postgres/postgres-store.js'
import { newPostgresDatabase, query } from './postgres-fixture.js'
import { addRepo, addSession } from './store-engines.js'

let url: string
const ends: (() => void | Promise<void>)[] = []

beforeEach(async () => (url = await newPostgresDatabase()))
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/** A log as a hub of this name has it. Without hints, those of other hubs do not arrive. */
async function openHub(name: string, { hasHints = true } = {}) {
  const { store, close } = await openPostgres(url, { machineId: name, name })
  ends.push(close)
  const log = createLog('silent')
  const projection = new Projection(store)
  const eventLog = new EventLog({ store: store.events, projection, log })
  const given = new Set<(hints: readonly Hint[]) => void>()
  const real = store.cluster as ClusterStore & object
  const cluster: ClusterStore = {
    lease: real.lease,
    machineId: name,
    name,
    hubId: real.hubId,
    owns: (id) => real.owns(id),
    findOwner: (id) => real.findOwner(id),
    lostSessions: () => real.lostSessions(),
    release: (id) => real.release(id),
    refreshRepos: () => real.refreshRepos(),
    knowRepo: (id) => real.knowRepo(id),
    activeSessions: () => real.activeSessions(),
    activeOf: (id) => real.activeOf(id),
    setDraining: (id, isDraining) => real.setDraining(id, isDraining),
    removeHub: (id) => real.removeHub(id),
    announce: (access) => real.announce(access),
    hubs: () => real.hubs(),
    lastSeqs: (ids) => real.lastSeqs(ids),
    activeElsewhere: () => real.activeElsewhere(),
    changedElsewhere: (withinMs) => real.changedElsewhere(withinMs),
    volumeOf: (id) => real.volumeOf(id),
    findRepo: (id) => real.findRepo(id),
    reposElsewhere: () => real.reposElsewhere(),
    sendHint: (hint) => real.sendHint(hint),
    onHints: (listener) => {
      given.add(listener)
      return hasHints ? real.onHints(listener) : () => undefined
    },
  }
  await cluster.announce({ address: 'http://127.0.0.1:1', token: name })
  const hubs = await KnownHubs.open(cluster)
  const elsewhere = new Elsewhere({ store: cluster, hubs, eventLog, log })
  ends.push(() => {
    hubs.close()
    elsewhere.close()
  })
  const hint = (sent: Hint): void => given.forEach((listener) => listener([sent]))
  return { store, eventLog, elsewhere, hubs, hint }
}

/** The numbers of the events that a follower gets, as they come. */
function follow(eventLog: EventLog, sessionId: string): number[] {
  const seqs: number[] = []
  const stop = new AbortController()
  const following = (async () => {
    for await (const page of eventLog.follow(sessionId, 0, stop.signal))
      seqs.push(...page.map((event) => decodeEvent(event).seq))
  })()
  ends.push(async () => {
    stop.abort()
    await following
  })
  return seqs
}

const NOTICE = { type: 'notice', data: { severity: 'info', code: 'test', message: 'x' } } as const

test.each([true, false])(
  'a follower at another hub gets each event once (hints: %s)',
  async (hasHints) => {
    const a = await openHub('a')
    const b = await openHub('b', { hasHints })
    await expect.poll(() => a.hubs.others).toHaveLength(1)
    const id = await addSession(a.store, { repoId: await addRepo(a.store) })
    const seqs = follow(b.eventLog, id)
    const changed: string[] = []
    b.elsewhere.onChange((sessionId) => changed.push(sessionId))
    await expect.poll(() => seqs).toEqual([1])
    for (let seq = 2; seq <= 5; seq += 1) await a.eventLog.append(id, NOTICE)
    await expect.poll(() => seqs).toEqual([1, 2, 3, 4, 5])
    await expect.poll(() => changed).toContain(id)
    expect(await b.eventLog.lastSeq(id)).toBe(5)
  },
)

test('hints that are doubled, late or wrong change nothing', async () => {
  const [a, b] = [await openHub('a'), await openHub('b', { hasHints: false })]
  const id = await addSession(a.store, { repoId: await addRepo(a.store) })
  const seqs = follow(b.eventLog, id)
  await expect.poll(() => seqs).toEqual([1])
  for (const lastSeq of [9, 1, 9, 0]) b.hint({ sessionId: id, lastSeq })
  b.hint({ sessionId: 'unknown', lastSeq: 3 })
  await a.eventLog.append(id, NOTICE)
  b.hint({ sessionId: id, lastSeq: 2 })
  b.hint({ sessionId: id, lastSeq: 2 })
  await a.eventLog.append(id, NOTICE)
  await expect.poll(() => seqs).toEqual([1, 2, 3])
})

test('a hub that takes a session over goes on after the events of the other one', async () => {
  const [a, b] = [await openHub('a'), await openHub('b')]
  const id = await addSession(a.store, { repoId: await addRepo(a.store) })
  const seqs = follow(b.eventLog, id)
  await expect.poll(() => seqs).toEqual([1])
  await a.eventLog.append(id, NOTICE)
  const ended = { type: 'session.ended', data: { status: 'error', reason: 'hub_lost' } } as const
  await expect(b.eventLog.append(id, ended), 'while its owner lives').rejects.toThrow()
  await query(
    url,
    `UPDATE "Hub" SET "dead" = true, "leaseUntil" = clock_timestamp() WHERE "machineId" = 'a'`,
  )
  const { seq } = await b.eventLog.append(id, ended)
  expect(seq).toBe(3)
  await expect.poll(() => seqs).toEqual([1, 2, 3])
  await expect(a.eventLog.append(id, NOTICE)).rejects.toThrow()
  expect(await a.eventLog.lastSeq(id), 'as the other hub knows it').toBe(3)
})
