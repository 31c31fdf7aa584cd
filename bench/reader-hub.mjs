// The hub's own path of an update: up to a session's handler, and through a whole session into the committed log.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { AgentRuntime } from '../packages/hub/dist/agents/agent-runtime.js'
import { loadConfig } from '../packages/hub/dist/config.js'
import { createLog } from '../packages/hub/dist/log.js'
import { MessageHooks } from '../packages/hub/dist/message-hooks.js'
import { RepoTrust } from '../packages/hub/dist/repos/repo-trust.js'
import { Repos } from '../packages/hub/dist/repos/repos.js'
import { EventLog } from '../packages/hub/dist/sessions/log/event-log.js'
import { Projection } from '../packages/hub/dist/sessions/log/projection.js'
import { SessionChanges } from '../packages/hub/dist/sessions/changes/session-changes.js'
import { SessionReader } from '../packages/hub/dist/sessions/reading/session-reader.js'
import { Sessions } from '../packages/hub/dist/sessions/sessions.js'
import { closeDatabase, openDatabase } from '../packages/hub/dist/store/sqlite/database.js'
import { MediaStore } from '../packages/hub/dist/store/media.js'
import { sqliteStore } from '../packages/hub/dist/store/sqlite/sqlite-store.js'
import { migrateUp } from '../packages/hub/dist/store/sqlite/migrations.js'
import { numbersIn } from './load-lines.mjs'

export const hubPaths = { handler: openHandler, log: openLog }

const EXTENSION = 'load'
const POLL_MS = 1

async function openHandler(agent, onUpdate) {
  const { config, agents, remove } = openRuntime(agent)
  const started = await agents.startAlone(EXTENSION)
  const { acpSessionId } = await started.newSession({ cwd: config.dataDir, mcpServers: [] })
  started.attach(acpSessionId, { sessionId: 'bench', onUpdate })
  return {
    prompt: (text) => started.prompt(acpSessionId, [{ type: 'text', text }]),
    async close() {
      await started.stop()
      await agents.close()
      remove()
    },
  }
}

async function openLog(agent) {
  const hub = await openParts(agent)
  const { sessions, eventLog, repoId } = hub
  const session = await sessions.create({ repoId, extensionId: EXTENSION, by: 'bench' })
  let before = 0
  return {
    async prompt(text) {
      before = await eventLog.lastSeq(session.id)
      await session.prompt([{ type: 'text', text }], 'bench')
      // Polled: a follower would be work of its own.
      while (session.isWorking) await sleep(POLL_MS)
    },
    /** The numbers of all updates that this prompt added to the log. */
    readNumbers: () => readNumbers(eventLog, session.id, before),
    async close() {
      await sessions.close()
      await hub.close()
    },
  }
}

/** The same objects as in hub.ts, without a server, with default settings. */
async function openParts(agent) {
  const { config, agents, log, remove } = openRuntime(agent)
  const db = openDatabase(join(config.dataDir, 'bench.db'), config)
  migrateUp(db)
  const store = sqliteStore(db)
  const projection = new Projection(store.events)
  const eventLog = new EventLog({ store: store.events, projection, log })
  const repos = new Repos({ store: store.repos, roots: config.roots, log })
  await repos.scan()
  const [{ id: repoId }] = await repos.list()
  const reader = new SessionReader({ store, projection, eventLog })
  const media = new MediaStore(store.media, join(config.dataDir, 'media'))
  const configPaths = () => agents.extensions.configPaths
  const trust = new RepoTrust({ store: store.repos, mode: config.trust, configPaths, log })
  const folder = join(config.dataDir, 'snapshots')
  const changes = new SessionChanges({ store, folder, eventLog, log })
  const hooks = new MessageHooks()
  const deps = { config, eventLog, agents, media, repos, reader, hooks, log }
  const sessions = new Sessions({ ...deps, projection, trust, changes, isRemoved: () => false })
  const close = async () => {
    await agents.close()
    closeDatabase(db)
    remove()
  }
  return { sessions, eventLog, repoId, close }
}

/** A temporary folder with a repository, and the load agent as an extension. */
function openRuntime(agent) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-bench-')))
  writeFile(join(folder, 'workspace/shop/.git/HEAD'), 'ref: refs/heads/main\n')
  const common = { id: EXTENSION, name: 'Load agent', type: 'acp' }
  const registry = { extensions: [{ ...common, path: EXTENSION, enabled: true }] }
  const manifest = { ...common, agent: { command: '${NODE}', args: [agent] } }
  const extensions = join(folder, 'extensions')
  writeFile(join(extensions, 'extensions.json'), JSON.stringify(registry))
  writeFile(join(extensions, EXTENSION, 'manifest.json'), JSON.stringify(manifest))
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  const env = { QUAYSIDE_DATA_DIR: dataDir, QUAYSIDE_EXTENSIONS: extensions }
  const config = loadConfig({ root: join(folder, 'workspace') }, env, folder)
  const log = createLog('silent')
  const agents = new AgentRuntime({ config, hubId: 'bench', log })
  return { config, agents, log, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

function writeFile(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

async function readNumbers(eventLog, sessionId, before) {
  const numbers = []
  for (let after = before, page; (page = await eventLog.read(sessionId, after)).length > 0;) {
    after = page.at(-1).seq
    for (const { bytes } of page) numbers.push(...numbersIn(Buffer.from(bytes).toString()))
  }
  return numbers
}

function sleep(ms) {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
