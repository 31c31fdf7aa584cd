// A heartbeat reports the state of an agent's processes, and ends with them.
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { AgentChild } from '../src/process/agent-child.js'
import { type Beat, Heartbeat } from '../src/process/heartbeat.js'
import { agentLaunch, readPids } from './orphans-fixture.js'

function listeningLog() {
  const lines: (Beat & { msg: string })[] = []
  const write = (line: string): void => void lines.push(JSON.parse(line))
  return {
    log: pino({ level: 'debug', base: null }, { write }),
    beats: () => lines.filter(({ msg }) => msg === 'agent heartbeat'),
  }
}

test('Monitor process health: a heartbeat tells pid, pipe, memory of the whole tree and the age of the last frame', async () => {
  const { log, beats } = listeningLog()
  const child = new AgentChild(agentLaunch({ relatives: ['setsid', 'daemon'] }), log)
  await readPids(child.stdout, ['agent', 'setsid', 'daemon'])
  const lastFrameAt = performance.now() - 5_000
  const heartbeat = new Heartbeat({ child, log, lastFrameAt: () => lastFrameAt, intervalMs: 10 })
  // At first the shell that started the daemon may still be running.
  await expect.poll(() => beats().at(-1)?.processes).toBe(3)

  const beat = beats().at(-1)!
  expect(beat).toMatchObject({ pid: child.pid, isAlive: true, isStdinOpen: true, processes: 3 })
  expect(beat.frameAgeMs).toBeGreaterThanOrEqual(5_000)
  const [largest = 0] = child.findTree().map(({ rssBytes }) => rssBytes)
  expect(beat.rssBytes).toBeGreaterThan(largest / 2)

  await child.stop()
  const count = beats().length
  expect(heartbeat.read()).toMatchObject({ isAlive: false, isStdinOpen: false, processes: 0 })
  // Another heartbeat ticks ten times at the same rate; this one must not tick.
  const other = listeningLog()
  const living = new AgentChild(agentLaunch({}), other.log)
  const clock = { child: living, log: other.log, lastFrameAt: () => undefined, intervalMs: 10 }
  expect(new Heartbeat(clock).read()).toMatchObject({ isAlive: true })
  await expect.poll(() => other.beats().length).toBeGreaterThanOrEqual(10)
  expect(beats()).toHaveLength(count)
  await living.stop()
})

test('before the first frame there is no age', async () => {
  const { log } = listeningLog()
  const child = new AgentChild(agentLaunch({}), log)
  const heartbeat = new Heartbeat({ child, log, lastFrameAt: () => undefined })
  expect(heartbeat.read()).not.toHaveProperty('frameAgeMs')
  await child.stop()
})
