// The time from a prompt to its first words at a client, in repositories of several sizes with and without snapshots, and in twenty sessions
// at once. The agent alone, without a hub, is the floor.
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { startAgent } from '../floors/bare-agent.mjs'
import { BenchHub } from '../hubs/bench-hub.mjs'
import { AGENT, DEMO, Workspace } from '../hubs/workspace.mjs'
import { medianRows, quantiles, round } from '../load/numbers.mjs'

/** The first repository and the one of `large` files have targets. */
export const sizes = {
  full: {
    files: [3, 100, 20_000, 100_000],
    large: 20_000,
    prompts: 30,
    warmUp: 5,
    sessions: 20,
    waves: 6,
  },
  smoke: { files: [3, 30], large: 30, prompts: 2, warmUp: 1, sessions: 2, waves: 1 },
}
const WORDS = 'agent_message_chunk'

export async function measure({ rounds, size, note }) {
  const hubs = []
  try {
    for (const files of size.files) {
      note(`making a repository of ${files} files`)
      const workspace = new Workspace(files)
      hubs.push({ files, workspace, hub: await BenchHub.start({ workspace }) })
    }
    const seen = []
    for (let at = 1; at <= rounds; at += 1) {
      note(`round ${at} of ${rounds}`)
      const rows = [await measureBare(size)]
      for (const { files, hub, workspace } of hubs) {
        rows.push(await measureOne(hub, `hub, ${files} files`, size))
        rows.push(await measureWithout(workspace, hub, { ...size, files }))
      }
      seen.push([...rows, await measureBareMany(size), await measureMany(hubs[0].hub, size)])
    }
    const rows = medianRows(seen)
    const [, one] = rows
    const first = 1 + 2 * size.files.indexOf(size.large)
    const [many, without] = rows.slice(first, first + 2)
    const twenty = rows.at(-1)
    return {
      tables: [{ title: 'From a prompt to the first words, ms', rows }],
      figures: {
        smallMs: one.p50,
        largeMs: many.p50,
        snapshotMs: round(many.p50 - without.p50),
        twentyP50: twenty.p50,
        twentyP99: twenty.p99,
      },
    }
  } finally {
    for (const { hub, workspace } of hubs) {
      await hub.stop()
      workspace.remove()
    }
  }
}

async function measureBare({ prompts, warmUp }) {
  const agent = await startAgent([process.execPath, AGENT])
  const times = []
  for (let index = 0; index < prompts + warmUp; index += 1)
    times.push(await agent.firstWordsMs('text 1'))
  await agent.stop()
  return { what: 'agent alone', ...quantiles(times.slice(warmUp)) }
}

async function measureOne(hub, what, { prompts, warmUp }) {
  const session = await open(hub, 'load')
  const times = []
  for (let index = 0; index < prompts + warmUp; index += 1)
    times.push(await session.firstWordsMs('text 1'))
  await session.end()
  return { what, ...quantiles(times.slice(warmUp)) }
}

/** The hub takes no snapshot of a folder that is not a repository. */
async function measureWithout({ repository }, hub, size) {
  const [there, away] = [join(repository, '.git'), join(repository, '../git-away')]
  renameSync(there, away)
  try {
    return await measureOne(hub, `hub, ${size.files} files, without snapshots`, size)
  } finally {
    renameSync(away, there)
  }
}

async function measureBareMany({ sessions, waves }) {
  const starts = Array.from({ length: sessions }, () => startAgent([process.execPath, DEMO]))
  const agents = await Promise.all(starts)
  const times = await inWaves(agents, waves)
  for (const agent of agents) await agent.stop()
  return { what: `${sessions} demo agents alone, at once`, ...quantiles(times) }
}

async function measureMany(hub, { sessions, waves }) {
  const opened = []
  for (let index = 0; index < sessions; index += 1) opened.push(await open(hub, 'demo'))
  const times = await inWaves(opened, waves)
  for (const session of opened) await session.end()
  return { what: `hub, ${sessions} demo sessions at once`, ...quantiles(times) }
}

/** The first wave is a warm-up. */
async function inWaves(sessions, waves) {
  const times = []
  for (let wave = 0; wave <= waves; wave += 1) {
    const wait = sessions.map((session) => session.firstWordsMs('echo hello'))
    const seen = await Promise.all(wait)
    if (wave > 0) times.push(...seen)
  }
  return times
}

/** A session with a client that follows it. */
async function open(hub, extensionId) {
  const id = await hub.createSession(extensionId)
  const follower = await hub.followEnd(id)
  return {
    async firstWordsMs(text) {
      const start = performance.now()
      let ms
      follower.onText = (data) => {
        if (data.includes(WORDS)) ms ??= performance.now() - start
      }
      const end = follower.turnEnded()
      await hub.prompt(id, text)
      await end
      return ms
    },
    async end() {
      follower.close()
      await hub.endSession(id)
    },
  }
}
