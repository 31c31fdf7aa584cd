// Writes long sessions into a data directory without an agent: the events go through the hub's own log and projection into
// the store, in large commits that are not synced. The hub's objects are used here and in reader-hub.mjs only.
import { setImmediate } from 'node:timers/promises'
import { createLog } from '../../packages/hub/dist/log.js'
import { Repos } from '../../packages/hub/dist/repos/repos.js'
import { RootFolders } from '../../packages/hub/dist/repos/root-folders.js'
import { EventLog } from '../../packages/hub/dist/sessions/log/event-log.js'
import { Projection } from '../../packages/hub/dist/sessions/log/projection.js'
import { closeDatabase, openDatabase } from '../../packages/hub/dist/store/sqlite/database.js'
import { migrateUp } from '../../packages/hub/dist/store/sqlite/migrations.js'
import { sqliteStore } from '../../packages/hub/dist/store/sqlite/sqlite-store.js'
import { updatesOf } from '../load/load-lines.mjs'

/** Events that are written before the log may commit them. */
const BATCH = 2_000
const SHORT_TURN = 500

/** One session for each number of events, of tool calls in turns of 500, or all in one turn. Returns their ids. */
export async function seedSessions(workspace, sizes) {
  const db = openDatabase(workspace.database, { durability: 'normal' })
  db.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -400000')
  migrateUp(db)
  const store = sqliteStore(db)
  const log = createLog('silent')
  const eventLog = new EventLog({
    store: store.events,
    projection: new Projection(store),
    log,
  })
  const { folder } = workspace
  const roots = new RootFolders({ configured: [`${folder}/workspace`], dataDir: folder })
  const repos = new Repos({ store: store.repos, roots, log })
  await repos.scan()
  const [{ id: repoId }] = await repos.list()
  const ids = []
  for (const [index, { events, isOneTurn }] of sizes.entries()) {
    const id = `01900000-0000-7000-8000-${String(index + 1).padStart(12, '0')}`
    const turn = isOneTurn ? events : SHORT_TURN
    await writeSession(eventLog, id, { events, turn, repoId, cwd: workspace.repository })
    ids.push(id)
  }
  closeDatabase(db)
  return ids
}

async function writeSession(eventLog, id, { events, turn, repoId, cwd }) {
  const onNotStored = (error) => {
    throw error
  }
  const write = (type, data) => eventLog.write(id, { type, data }, { onNotStored })
  const end = { status: 'completed', reason: 'completed' }
  write('session.created', { repoId, extensionId: 'load', cwd, title: `${events} events` })
  write('agent.started', { acpSessionId: 'load-1', how: 'new' })
  let written = 0
  for (const update of updatesOf('tools', events)) {
    const turnId = `turn-${Math.floor(written / turn)}`
    if (written % turn === 0) begin(write, turnId)
    write('acp.update', { turnId, update })
    written += 1
    if (written % turn === 0 || written === events)
      write('turn.ended', { turnId, stopReason: 'end_turn', durationMs: 1 })
    if (written % BATCH === 0) await setImmediate()
  }
  await eventLog.append(id, { type: 'agent.exited', data: { reason: 'stopped', exitCode: 0 } })
  await eventLog.append(id, { type: 'session.ended', data: end })
}

function begin(write, turnId) {
  write('turn.queued', { turnId, prompt: [{ type: 'text', text: `work on ${turnId}` }] })
  write('turn.started', { turnId })
}
