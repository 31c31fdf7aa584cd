// An event log on a database, as the hub builds it, for tests that need no agent.
import { createLog } from '../src/log.js'
import { EventLog } from '../src/sessions/log/event-log.js'
import { Projection } from '../src/sessions/log/projection.js'
import type { EventStore } from '../src/store/event-store.js'
import { CheckpointRows } from '../src/store/sqlite/checkpoint-rows.js'
import type { Database } from '../src/store/sqlite/database.js'
import { EventRows } from '../src/store/sqlite/event-rows.js'

export function openEventLog(db: Database, store: EventStore = new EventRows(db)) {
  const projection = new Projection({ events: store, checkpoints: new CheckpointRows(db) })
  return { projection, eventLog: new EventLog({ store, projection, log: createLog('silent') }) }
}
