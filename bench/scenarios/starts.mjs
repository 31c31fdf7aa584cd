// The time of a new session from `POST /api/sessions` to its 201, with a cold and with a warm process, compared with the
// bare agent (spawn, initialize, session/new by hand). The demo agent and the real Gemini CLI.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { installGemini } from '../../scripts/tools/agents.mjs'
import { startAgent } from '../floors/bare-agent.mjs'
import { BenchHub } from '../hubs/bench-hub.mjs'
import { DEMO, Workspace } from '../hubs/workspace.mjs'
import { median, round } from '../load/numbers.mjs'

const EXTENSIONS = fileURLToPath(new URL('../../extensions', import.meta.url))
const POLL_MS = 5

/** The last one is the one with a target. */
export const sizes = { full: { agents: ['demo', 'gemini'] }, smoke: { agents: ['demo'] } }

export async function measure({ rounds, size, note }) {
  const workspace = new Workspace()
  const gemini = size.agents.includes('gemini') ? await installGemini() : ''
  const env = agentEnvironment(workspace.folder, gemini)
  const commands = { demo: [process.execPath, DEMO], gemini: [gemini, '--acp'] }
  writeExtensions(join(workspace.folder, 'extensions'), size.agents)
  const hub = await BenchHub.start({ workspace, env })
  try {
    const rows = []
    for (const agent of size.agents) {
      const times = { bare: [], cold: [], warm: [] }
      for (let round = 1; round <= rounds; round += 1) {
        note(`${agent}: round ${round} of ${rounds}`)
        const bare = await startAgent(commands[agent], { cwd: workspace.repository, env })
        times.bare.push(bare.readyMs)
        await bare.stop()
        times.cold.push(await createMs(hub, `${agent}-cold`))
        await untilWarm(hub, `${agent}-warm`)
        times.warm.push(await createMs(hub, `${agent}-warm`))
      }
      rows.push(...toRows(agent, times))
    }
    const { 'cold ÷ this': faster } = rows.at(-1)
    const tables = [{ title: 'A new session: from the request to its answer', rows }]
    return { tables, figures: { warm: round(1 / faster) } }
  } finally {
    await hub.stop()
    workspace.remove()
  }
}

function toRows(agent, times) {
  const cold = median(times.cold)
  return Object.entries(times).map(([how, values]) => ({
    agent,
    start: how,
    'median ms': round(median(values)),
    'cold ÷ this': round(cold / median(values)),
  }))
}

async function createMs(hub, extensionId) {
  const start = performance.now()
  const sessionId = await hub.createSession(extensionId)
  const ms = performance.now() - start
  await hub.endSession(sessionId)
  return ms
}

async function untilWarm(hub, extensionId) {
  for (;;) {
    const { extensions } = await hub.ask('GET', '/api/extensions')
    if (extensions.find(({ id }) => id === extensionId).warm.ready > 0) return
    await setTimeout(POLL_MS)
  }
}

function agentEnvironment(folder, gemini) {
  const home = join(folder, 'home')
  mkdirSync(join(home, '.gemini'), { recursive: true })
  const settings = {
    privacy: { usageStatisticsEnabled: false },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  }
  writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify(settings))
  return {
    PATH: process.env.PATH,
    HOME: home,
    GEMINI_CLI_PATH: gemini,
    GEMINI_CLI_HOME: home,
    GEMINI_API_KEY: 'dummy',
    // A session is opened without a prompt, so no permission is asked.
    GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:9',
    GEMINI_CLI_NO_RELAUNCH: '1',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GEMINI_PTY_INFO: 'child_process',
    QUAYSIDE_DEMO_PACE: '0',
  }
}

/** The shipped agents twice: with and without a warm process. */
function writeExtensions(folder, agents) {
  rmSync(folder, { recursive: true })
  const extensions = agents.flatMap((agent) =>
    [0, 1].map((warm) => {
      const id = `${agent}-${warm === 1 ? 'warm' : 'cold'}`
      const path = join(folder, 'acp', id)
      cpSync(join(EXTENSIONS, 'acp', agent), path, { recursive: true })
      const file = join(path, 'manifest.json')
      const manifest = JSON.parse(
        readFileSync(file, 'utf8').replaceAll('${EXTENSION_DIR}/../../..', dirname(EXTENSIONS)),
      )
      const { $schema: _, ...rest } = manifest
      writeFileSync(file, JSON.stringify({ ...rest, id, agent: { ...manifest.agent, warm } }))
      return { id, name: id, type: 'acp', path: `acp/${id}`, enabled: true }
    }),
  )
  writeFileSync(join(folder, 'extensions.json'), JSON.stringify({ extensions }))
}
