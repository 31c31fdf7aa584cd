// No orphan survives the end of an agent, its crash, the end of the hub, or kill -9 of the hub.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import { findCgroup } from '../src/process/cgroup.js'
import { AgentChild } from '../src/process/agent-child.js'
import { signalProcess, sweepOrphans } from '../src/process/process-sweep.js'
import { OWNER_VARIABLE, ProcessTags } from '../src/process/process-tag.js'
import { createLog } from '../src/log.js'
import {
  agentLaunch,
  Bystander,
  findProcess,
  living,
  readPids,
  tagged,
  untilNone,
  zombies,
} from './orphans-fixture.js'

const log = createLog('silent')
const RELATIVES = ['member', 'setsid', 'daemon', 'cleared']
const EVERYBODY = ['agent', ...RELATIVES]
const SHORT = { closeGraceMs: 100, termGraceMs: 200 }

afterEach(() => expect(zombies()).toEqual([]))

test('killing the group alone leaves those who left it; the sweep by tag finds them', async () => {
  const hubId = randomUUID()
  const { command, args, env } = agentLaunch({ relatives: ['member', 'setsid', 'daemon'] })
  const agent = spawn(command, args, {
    env: { ...env, [OWNER_VARIABLE]: new ProcessTags(hubId).next() },
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  })
  const pids = await readPids(agent.stdout, ['agent', 'member', 'setsid', 'daemon'])
  const exited = once(agent, 'exit')
  process.kill(-agent.pid!, 'SIGKILL')
  await exited
  await untilNone(() => living({ member: pids['member']! }))
  expect(living(pids)).toEqual(['daemon', 'setsid'])

  const swept = await sweepOrphans(hubId, log)

  expect(swept).toEqual({ ended: 2, left: [] })
  expect(living(pids)).toEqual([])
})

/** Such a process outlives its agent in most containers, because no cgroups can be made there. */
test.runIf(findCgroup() !== undefined)(
  'a process without a parent and without an environment ends with its agent, by its cgroup',
  async () => {
    const child = new AgentChild(agentLaunch({ relatives: ['stranger'] }), log)
    const pids = await readPids(child.stdout, ['agent', 'stranger'])
    const tag = findProcess(pids['agent'])?.owner ?? ''
    expect(findProcess(pids['stranger'])?.owner).toBe(tag)
    expect(child.findTree().map(({ pid }) => pid)).toContain(pids['stranger'])

    await child.stop()

    expect(living(pids)).toEqual([])
    const names = readdirSync(findCgroup() ?? '')
    expect(names.filter((name) => name.includes(tag))).toEqual([])
  },
)

test('stopping an agent ends its whole tree, wherever it went', async () => {
  const child = new AgentChild(agentLaunch({ relatives: RELATIVES }), log)
  const pids = await readPids(child.stdout, EVERYBODY)
  expect(living(pids)).toEqual(EVERYBODY.toSorted())

  const exit = await child.stop()

  expect(exit).toMatchObject({ exitCode: 0, signal: null })
  expect(living(pids)).toEqual([])
})

test('an agent that ignores both the end of its input and SIGTERM is killed, with its tree', async () => {
  const stubborn = { relatives: RELATIVES, ignoresEnd: true, ignoresTerm: true }
  const child = new AgentChild(agentLaunch(stubborn), log, SHORT)
  const pids = await readPids(child.stdout, EVERYBODY)

  const exit = await child.stop()

  expect(exit).toMatchObject({ exitCode: null, signal: 'SIGKILL' })
  expect(living(pids)).toEqual([])
})

test('stopping twice at the same time is one end', async () => {
  const child = new AgentChild(agentLaunch({ relatives: RELATIVES }), log)
  const pids = await readPids(child.stdout, EVERYBODY)
  const [first, second] = await Promise.all([child.stop(), child.stop()])
  expect(first).toEqual(second)
  expect(await child.stop()).toEqual(first)
  expect(living(pids)).toEqual([])
})

test.each([
  ['that ends by itself', {}],
  ['that has to be told', { ignoresEnd: true }],
])('what an agent %s leaves behind may flush before it is killed', async (_, behaviour) => {
  const child = new AgentChild(agentLaunch({ relatives: ['flusher'], ...behaviour }), log, SHORT)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const pids = [await lines.next(), await lines.next()]
  expect(pids.map(({ done }) => done)).toEqual([false, false])
  await child.stop()
  expect(await lines.next()).toEqual({ value: 'flushed', done: false })
})

test('a crashed agent ends with its tree, although no stop was requested', async () => {
  const child = new AgentChild(agentLaunch({ relatives: RELATIVES }), log)
  const pids = await readPids(child.stdout, EVERYBODY)
  child.stdin.write('3')
  expect(await child.exited).toMatchObject({ exitCode: 3 })
  // Without its parent and its tag it is known only from an earlier look, by a stop or a heartbeat.
  const { cleared = 0, ...findable } = pids
  await untilNone(() => living(findable))
  process.kill(cleared, 'SIGKILL')
  await untilNone(() => living(pids))
})

test('a crashed agent takes along also what a heartbeat has seen of its tree', async () => {
  const child = new AgentChild(agentLaunch({ relatives: RELATIVES }), log)
  const pids = await readPids(child.stdout, EVERYBODY)
  // Without the shell that started the daemon.
  await expect.poll(() => child.findTree().length).toBe(EVERYBODY.length)
  child.stdin.write('3')
  await child.exited
  await untilNone(() => living(pids))
})

test('in an emergency the tree is killed without waiting', async () => {
  const stubborn = { relatives: RELATIVES, ignoresEnd: true, ignoresTerm: true }
  const child = new AgentChild(agentLaunch(stubborn), log)
  const pids = await readPids(child.stdout, EVERYBODY)
  child.kill()
  expect(await child.exited).toMatchObject({ signal: 'SIGKILL' })
  await untilNone(() => living(pids))
  await child.stop()
})

test('the end of one agent is not the end of its neighbours', async () => {
  const tags = new ProcessTags(randomUUID())
  const launch = agentLaunch({ relatives: ['setsid'] })
  const start = () =>
    new AgentChild({ ...launch, env: { ...launch.env, [OWNER_VARIABLE]: tags.next() } }, log)
  const children = Array.from({ length: 10 }, start)
  const names = ['agent', 'setsid']
  const pids = await Promise.all(children.map((child) => readPids(child.stdout, names)))

  // The tag of the first is a prefix of the tag of the tenth.
  await children[0]!.stop()

  expect(pids.map(living)).toEqual([[], ...Array.from({ length: 9 }, () => names)])
  await Promise.all(children.map((child) => child.stop()))
  expect(pids.flatMap(living)).toEqual([])
})

test('a program that does not exist has nothing to sweep', async () => {
  const child = new AgentChild({ command: '/nowhere', args: [], env: {}, cwd: '/' }, log)
  expect(await child.stop()).toMatchObject({ exitCode: null, signal: null })
  child.kill()
})

test('a sweep ends also who has cleared the tag and outlives the parent that shows where it belongs', async () => {
  const tags = new ProcessTags(randomUUID())
  const { command, args, env } = agentLaunch({ relatives: ['cleared'], ignoresEnd: true })
  const agent = spawn(command, args, {
    env: { ...env, [OWNER_VARIABLE]: tags.next() },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const pids = await readPids(agent.stdout, ['agent', 'cleared'])
  const exited = once(agent, 'exit')
  await sweepOrphans(tags.runPrefix.split(':')[0]!, log)
  expect(await exited).toEqual([null, 'SIGTERM'])
  expect(living(pids)).toEqual([])
})

test('a pid that meanwhile is another process is left alone', async () => {
  await using bystander = await Bystander.start()
  const entry = findProcess(bystander.pid)!
  signalProcess({ ...entry, startTime: entry.startTime - 1 }, 'SIGKILL')
  // A second signal: had the first one been sent, this one would not be the cause of the exit.
  signalProcess(entry, 'SIGTERM')
  expect(await bystander.exited).toEqual([null, 'SIGTERM'])
})

test('the sweep at the start ends what carries the tag of this hub, and nothing else', async () => {
  const hubId = randomUUID()
  const tag = (owner: string) => ({ [OWNER_VARIABLE]: owner })
  await using left = await Bystander.start(tag(new ProcessTags(hubId).next()))
  await using older = await Bystander.start(tag(new ProcessTags(hubId).next()))
  await using untagged = await Bystander.start()
  await using other = await Bystander.start(tag(new ProcessTags(randomUUID()).next()))
  await using similar = await Bystander.start(tag(`${hubId}0:1.1`))
  await using argument = await Bystander.start({ OTHER: `${OWNER_VARIABLE}=${hubId}:1.1` })

  await sweepOrphans(hubId, log)

  await Promise.all([left.exited, older.exited])
  expect([untagged, other, similar, argument].map(({ lives }) => lives)).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect(tagged(hubId)).toEqual([])
})
