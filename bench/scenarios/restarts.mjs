// The start after `kill -9` with an active session, and resuming a long session, beside bare Express and the agent alone.
import { fileURLToPath } from 'node:url'
import { startAgent } from '../floors/bare-agent.mjs'
import { BenchHub } from '../hubs/bench-hub.mjs'
import { Child } from '../hubs/child.mjs'
import { longSessions } from '../hubs/long-sessions.mjs'
import { AGENT, Workspace } from '../hubs/workspace.mjs'
import { medianRows, round as rounded } from '../load/numbers.mjs'
import { LENGTHS } from './long.mjs'

const EXPRESS = fileURLToPath(new URL('../floors/express-server.mjs', import.meta.url))

/** `resumed` and `killed`: the lengths of the sessions. */
export const sizes = {
  full: { ...LENGTHS.full, resumed: 100_000, killed: [100_000, 1_000_000] },
  smoke: { ...LENGTHS.smoke, resumed: 600, killed: [10] },
}

export async function measure({ rounds, size, note }) {
  note('writing the sessions')
  const { workspace, sessions } = await longSessions(size)
  const idOf = (events) => sessions.find((session) => session.events === events).id
  const seen = []
  for (let round = 1; round <= rounds; round += 1) {
    note(`round ${round} of ${rounds}, kill -9`)
    const bareMs = await expressMs()
    const starts = [{ what: 'bare Express', ms: bareMs, '× bare': 1 }]
    const row = (events, ms) => ({ what: `hub, ${events} events`, ms, '× bare': ms / bareMs })
    starts.push(row(0, await killedMs(new Workspace())))
    for (const events of size.killed)
      starts.push(row(events, await killedMs(workspace, idOf(events))))
    note(`round ${round} of ${rounds}, resume`)
    seen.push({ starts, resumes: await measureResume(workspace, idOf(size.resumed)) })
  }
  const starts = medianRows(seen.map((round) => round.starts))
  const resumes = medianRows(seen.map((round) => round.resumes))
  const [agent, hub] = resumes
  return {
    tables: [
      { title: 'From the start to listening, after kill -9 with an active session', rows: starts },
      { title: `A session of ${size.resumed} events is resumed, ms`, rows: resumes },
    ],
    figures: {
      killed: Math.max(...starts.map((row) => row['× bare'])),
      resumeMs: rounded(hub['ready ms'] - agent['ready ms']),
      resumedPromptMs: hub['first words ms'],
    },
  }
}

async function expressMs() {
  const child = await Child.start([EXPRESS, 'express'])
  await child.stop()
  return child.ready.ms
}

/** A hub with an active session, killed. Returns the time that the next one takes. Without an id: a new session. */
async function killedMs(workspace, id) {
  const hub = await BenchHub.start({ workspace })
  if (id === undefined) await hub.createSession()
  else await hub.ask('POST', `/api/sessions/${id}/resume`)
  await hub.kill()
  const next = await BenchHub.start({ workspace })
  await next.stop()
  return next.child.ready.ms
}

async function measureResume(workspace, id) {
  const options = { cwd: workspace.repository, knownId: 'load-1' }
  const agent = await startAgent([process.execPath, AGENT], options)
  const alone = {
    what: 'agent alone',
    'ready ms': agent.readyMs,
    'first words ms': await agent.firstWordsMs('text 1'),
  }
  await agent.stop()
  const hub = await BenchHub.start({ workspace })
  const start = performance.now()
  await hub.ask('POST', `/api/sessions/${id}/resume`)
  const readyMs = performance.now() - start
  const wordsMs = await firstWordsMs(hub, id)
  await hub.endSession(id)
  await hub.stop()
  return [alone, { what: 'hub', 'ready ms': readyMs, 'first words ms': wordsMs }]
}

async function firstWordsMs(hub, id) {
  const follower = await hub.followEnd(id)
  const start = performance.now()
  const words = follower.until((data) => data.includes('agent_message_chunk'))
  await hub.prompt(id, 'text 1')
  await words
  const ms = performance.now() - start
  follower.close()
  return ms
}
