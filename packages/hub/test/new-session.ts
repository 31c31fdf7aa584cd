// A session row with its first event, for tests of the log that need no agent.
import { v7 as uuidv7 } from 'uuid'
import type { EventLog } from '../src/sessions/log/event-log.js'
import type { Database } from '../src/store/sqlite/database.js'

export async function newSession(db: Database, eventLog: EventLog): Promise<string> {
  const repoId = uuidv7()
  db.prepare('INSERT INTO Repo (id, path, name) VALUES (?, ?, ?)').run(repoId, `/${repoId}`, 'test')
  const id = uuidv7()
  const data = { repoId, extensionId: 'test', cwd: '/' }
  await eventLog.append(id, { type: 'session.created', data })
  return id
}
