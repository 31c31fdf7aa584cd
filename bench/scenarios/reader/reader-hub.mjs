// The hub's own path of an update: up to a session's handler, and through a whole session into the committed log.
import { join } from 'node:path'
import { AgentRuntime } from '../../../packages/hub/dist/agents/agent-runtime.js'
import { loadConfig } from '../../../packages/hub/dist/config/config.js'
import { buildParts } from '../../../packages/hub/dist/hub-parts.js'
import { createLog } from '../../../packages/hub/dist/log.js'
import { closeDatabase, openDatabase } from '../../../packages/hub/dist/store/sqlite/database.js'
import { sqliteStore } from '../../../packages/hub/dist/store/sqlite/sqlite-store.js'
import { migrateUp } from '../../../packages/hub/dist/store/sqlite/migrations.js'
import { Workspace } from '../../hubs/workspace.mjs'
import { numbersIn } from '../../load/load-lines.mjs'

export const hubPaths = { handler: openHandler, log: openLog }

const EXTENSION = 'load'
const POLL_MS = 1

async function openHandler(_agent, onUpdate) {
  const { config, agents, remove } = openRuntime()
  const started = await agents.startAlone(EXTENSION)
  const { acpSessionId } = await started.newSession({ cwd: config.dataDir, mcpServers: [] })
  started.attach(acpSessionId, { sessionId: 'bench', onUpdate, whenRoom: () => undefined })
  return {
    prompt: (text) => started.prompt(acpSessionId, [{ type: 'text', text }]),
    async close() {
      await started.stop()
      await agents.close()
      remove()
    },
  }
}

async function openLog() {
  const hub = await openParts()
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
    close: () => hub.close(),
  }
}

/** The hub's objects without a server, with default settings. */
async function openParts() {
  const workspace = new Workspace()
  const config = configOf(workspace)
  const db = openDatabase(join(config.dataDir, 'bench.db'), config)
  migrateUp(db)
  const log = createLog('silent')
  const parts = await buildParts({ config, store: sqliteStore(db), middleware: undefined, log })
  const { sessions, live, eventLog, repos, agents, changes } = parts
  await repos.scan()
  const [{ id: repoId }] = await repos.list()
  const close = async () => {
    await live.close()
    await Promise.all([agents.close(), changes.close()])
    closeDatabase(db)
    workspace.remove()
  }
  return { sessions, eventLog, repoId, close }
}

function configOf(workspace) {
  return loadConfig({ root: join(workspace.folder, 'workspace') }, workspace.env, workspace.folder)
}

function openRuntime() {
  const workspace = new Workspace()
  const config = configOf(workspace)
  const log = createLog('silent')
  const agents = new AgentRuntime({ config, hubId: 'bench', log })
  return { config, agents, remove: () => workspace.remove() }
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
