// However the hub ends, its watchdog ends the processes that it left. The hub here is a stand-in that runs the built code.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { findCgroup } from '../src/process/cgroup.js'
import { AgentChild } from '../src/process/agent-child.js'
import { ProcessOwner } from '../src/process/process-owner.js'
import { sweepOrphans } from '../src/process/process-sweep.js'
import { createLog } from '../src/log.js'
import {
  agentLaunch,
  findProcess,
  ignoresTerm,
  living,
  readPids,
  standInHub,
  tagged,
  untilNone,
  zombies,
} from './orphans-fixture.js'

const log = createLog('silent')
const STRANGERS = findCgroup() === undefined ? [] : ['stranger']
const RELATIVES = ['member', 'setsid', 'daemon', 'cleared', ...STRANGERS]
const STUBBORN = { relatives: RELATIVES, ignoresEnd: true, ignoresTerm: true }
const EVERYBODY = ['watchdog', 'agent', ...RELATIVES]
const DEATHS = 'QUAYSIDE_TORTURE_ROUNDS' in process.env ? 10 : 2

afterEach(() => expect(zombies()).toEqual([]))

test('after kill -9 of the hub its watchdog ends everything; without one the orphans survive until the next start', async () => {
  const hubId = randomUUID()
  const unwatched = standInHub({ hubId, agent: STUBBORN, withWatchdog: false })
  const { watchdog, ...orphans } = await readPids(unwatched.stdout, EVERYBODY)
  expect(watchdog).toBeNaN()
  const hub = standInHub({ hubId: randomUUID(), agent: STUBBORN })
  const pids = await readPids(hub.stdout, EVERYBODY)
  expect(living(pids)).toEqual(EVERYBODY.toSorted())

  unwatched.process.kill('SIGKILL')
  hub.process.kill('SIGKILL')
  await Promise.all([unwatched.exited, hub.exited])

  await untilNone(() => living(pids))
  // They have had as long as a watchdog takes.
  expect(living(orphans)).toEqual(Object.keys(orphans).toSorted())
  await sweepOrphans(hubId, log)
  expect(living(orphans)).toEqual([])
})

test(`a hub that dies right after it spawned an agent leaves none, ${DEATHS} times`, async () => {
  const hubIds = Array.from({ length: DEATHS }, () => randomUUID())
  for (const hubId of hubIds) {
    const hub = standInHub({ hubId, agent: STUBBORN, end: 'kill' })
    hub.stdout.resume()
    expect(await hub.exited).toEqual([null, 'SIGKILL'])
  }
  // The last one, which was just left alone, is the positive control of `tagged`.
  expect(tagged(hubIds.at(-1)!)).not.toEqual([])
  await untilNone(() => hubIds.flatMap(tagged))
})

test('a hub that stops cleanly takes its watchdog along', async () => {
  const hub = standInHub({ hubId: randomUUID(), agent: { relatives: RELATIVES } })
  const pids = await readPids(hub.stdout, EVERYBODY)
  hub.process.stdin.write('stop\n')
  expect(await hub.exited).toEqual([0, null])
  expect(living(pids)).toEqual([])
})

test('an idle hub has no watchdog, and closing it is nothing', async () => {
  const owner = new ProcessOwner(randomUUID(), log)
  expect(owner.watchdog.pid).toBeUndefined()
  await owner.close()
})

test('the watchdog stands apart: own session, no tag, and a shell, which takes little memory', async () => {
  const hubId = randomUUID()
  const owner = new ProcessOwner(hubId, log)
  owner.own(agentLaunch({}))
  const { pid } = owner.watchdog
  owner.own(agentLaunch({}))
  expect(owner.watchdog.pid).toBe(pid)
  const entry = findProcess(pid)
  expect(entry).toMatchObject({ pgid: pid, owner: 'none' })
  expect(entry!.name).not.toBe('node')
  expect(entry!.rssBytes).toBeLessThan(process.memoryUsage.rss() / 2)
  // A service manager signals every process at once. The watchdog ignores it, as soon as its shell has set the trap.
  await expect.poll(() => ignoresTerm(pid!)).toBe(true)
  process.kill(pid!, 'SIGTERM')
  process.kill(pid!, 'SIGINT')
  const child = new AgentChild(owner.own(agentLaunch({})), log)
  await readPids(child.stdout, ['agent'])
  expect(owner.watchdog.pid).toBe(pid)
  await child.stop()
  await owner.close()
  expect(findProcess(pid)).toBeUndefined()
})

test('a watchdog that is killed is replaced', async () => {
  const owner = new ProcessOwner(randomUUID(), log)
  owner.own(agentLaunch({}))
  const first = owner.watchdog.pid!
  process.kill(first, 'SIGKILL')
  await expect.poll(() => owner.watchdog.pid).toSatisfy((pid) => pid !== undefined && pid !== first)
  const second = owner.watchdog.pid
  await owner.close()
  expect(findProcess(second)).toBeUndefined()
})

test('a hub that stops while an agent is still there leaves it to the watchdog, and waits for that', async () => {
  const hubId = randomUUID()
  const owner = new ProcessOwner(hubId, log)
  const child = new AgentChild(owner.own(agentLaunch(STUBBORN)), log)
  const pids = await readPids(child.stdout, ['agent', ...RELATIVES])
  await owner.close()
  expect(living(pids)).toEqual([])
  expect(await child.exited).toMatchObject({ signal: 'SIGKILL' })
  await child.stop()
})

test('the watchdog of a killed hub spares the agents of the hub that was started after it', async () => {
  const hubId = randomUUID()
  const hub = standInHub({ hubId, agent: STUBBORN })
  const old = await readPids(hub.stdout, EVERYBODY)
  hub.process.kill('SIGKILL')
  await once(hub.process, 'exit')
  const owner = new ProcessOwner(hubId, log)
  const child = new AgentChild(owner.own(agentLaunch({ relatives: ['setsid'] })), log)
  const pids = await readPids(child.stdout, ['agent', 'setsid'])

  await untilNone(() => living(old))

  expect(living(pids)).toEqual(['agent', 'setsid'])
  await child.stop()
  await owner.close()
  expect(tagged(hubId)).toEqual([])
})
