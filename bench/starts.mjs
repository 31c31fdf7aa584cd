// The time of a new session from `POST /api/sessions` to its 201, with a cold and with a warm process, compared with the
// bare agent (spawn, initialize, session/new by hand). The demo agent and the real Gemini CLI.
import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { installGemini } from '../scripts/agents.mjs'
import { median } from './numbers.mjs'

const EXTENSIONS = fileURLToPath(new URL('../extensions', import.meta.url))
const DEMO = fileURLToPath(new URL('../packages/demo-agent/bundle/main.js', import.meta.url))
const TOKEN = 'a-token-for-the-bench-only'
const AGENTS = ['demo', 'gemini']
const POLL_MS = 5

export async function benchStarts({ rounds, note }) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-starts-')))
  const gemini = await installGemini()
  const env = agentEnvironment(folder, gemini)
  const commands = { demo: [process.execPath, DEMO], gemini: [gemini, '--acp'] }
  makeRepository(join(folder, 'workspace/repo'))
  const hub = await startHub(folder, env)
  try {
    const rows = []
    for (const agent of AGENTS) {
      const times = { bare: [], cold: [], warm: [] }
      for (let round = 0; round < rounds; round += 1) {
        note(`${agent}: round ${round + 1} of ${rounds}`)
        times.bare.push(
          await bareStart(commands[agent], { cwd: join(folder, 'workspace/repo'), env }),
        )
        times.cold.push(await hub.create(`${agent}-cold`))
        await hub.untilWarm(`${agent}-warm`)
        times.warm.push(await hub.create(`${agent}-warm`))
      }
      rows.push(...toRows(agent, times))
    }
    return [{ title: 'A new session: from the request to its answer', rows }]
  } finally {
    await hub.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function toRows(agent, times) {
  const cold = median(times.cold)
  return Object.entries(times).map(([how, values]) => ({
    agent,
    start: how,
    'median ms': Math.round(median(values) * 10) / 10,
    'cold ÷ this': Math.round((cold / median(values)) * 100) / 100,
  }))
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
function writeExtensions(folder) {
  const extensions = AGENTS.flatMap((agent) =>
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

async function startHub(folder, env) {
  const extensions = join(folder, 'extensions')
  mkdirSync(extensions)
  writeExtensions(extensions)
  const script = fileURLToPath(new URL('lists-hub.mjs', import.meta.url))
  const child = spawn(process.execPath, [script, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...env,
      QUAYSIDE_DATA_DIR: join(folder, 'data'),
      QUAYSIDE_EXTENSIONS: extensions,
      QUAYSIDE_TOKEN: TOKEN,
      QUAYSIDE_LOG_LEVEL: 'silent',
    },
  })
  const { address } = JSON.parse(await firstLine(child.stdout))
  const ask = async (path, method, body) => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
    const sent = method === undefined ? {} : { method, body: JSON.stringify(body ?? {}) }
    const response = await fetch(`${address}${path}`, { headers, ...sent })
    if (!response.ok) throw new Error(await response.text())
    return response.json()
  }
  const { repos } = await ask('/api/repos/scan', 'POST', {})
  return {
    async create(extensionId) {
      const begin = performance.now()
      const { id } = await ask('/api/sessions', 'POST', { repoId: repos[0].id, extensionId })
      const ms = performance.now() - begin
      await ask(`/api/sessions/${id}`, 'DELETE')
      return ms
    },
    async untilWarm(id) {
      for (;;) {
        const { extensions: all } = await ask('/api/extensions')
        if (all.find((one) => one.id === id).warm.ready > 0) return
        await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      }
    },
    async stop() {
      child.stdin.end()
      await new Promise((resolve) => child.once('exit', resolve))
    },
  }
}

/** The floor for a cold start. */
async function bareStart([command, ...args], { cwd, env }) {
  const begin = performance.now()
  const child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ask = async (id, method, params) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    for (;;) {
      const { value, done } = await lines.next()
      if (done) throw new Error(`${command} ended`)
      if (value.startsWith('{') && JSON.parse(value).id === id) return
    }
  }
  await ask(1, 'initialize', { protocolVersion: 1, clientCapabilities: {} })
  await ask(2, 'session/new', { cwd, mcpServers: [] })
  const ms = performance.now() - begin
  child.kill('SIGKILL')
  await new Promise((resolve) => child.once('exit', resolve))
  return ms
}

async function firstLine(stream) {
  for await (const line of createInterface({ input: stream })) return line
  throw new Error('the hub ended')
}

function makeRepository(path) {
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'README.md'), '# A repository\n')
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@example.com', ...args], {
      cwd: path,
      stdio: 'ignore',
    })
  git('init')
  git('add', '.')
  git('commit', '-m', 'first')
}
