// Sessions in a data directory before its hub starts, written through the hub's own log, without agents.
import { join } from 'node:path'
import type { EventBody } from '@quayside/protocol'
import { v7 as uuidv7 } from 'uuid'
import { closeDatabase, openDatabase } from '../src/store/sqlite/database.js'
import { migrateUp } from '../src/store/sqlite/migrations.js'
import { openEventLog } from './open-event-log.js'

export type StoredSession = {
  readonly id?: string
  /** The path of its repository. */
  readonly repo: string
  readonly agent: string
  /** Each turn: the prompt and the agent's updates. */
  readonly turns: readonly { readonly prompt: string; readonly updates: readonly Update[] }[]
}
type Update = Extract<EventBody, { type: 'acp.update' }>['data']['update']

/** All of them have ended. */
export async function storeSessions(
  dataFolder: string,
  sessions: readonly StoredSession[],
): Promise<void> {
  const db = openDatabase(join(dataFolder, 'quayside.db'), { durability: 'normal' })
  migrateUp(db)
  const { eventLog: log } = openEventLog(db)
  const insertRepo = db.prepare('INSERT INTO Repo (id, path, name) VALUES (?, ?, ?)')
  const repos = new Map(
    [...new Set(sessions.map(({ repo }) => repo))].map((path) => [path, uuidv7()]),
  )
  for (const [path, id] of repos) insertRepo.run(id, path, path.split('/').at(-1)!)
  const appended = sessions.flatMap(({ id = uuidv7(), ...session }) =>
    eventsOf(session, repos.get(session.repo)!).map((body) => log.append(id, body)),
  )
  await Promise.all(appended)
  closeDatabase(db)
}

function eventsOf({ repo, agent, turns }: StoredSession, repoId: string): EventBody[] {
  return [
    { type: 'session.created', data: { repoId, extensionId: agent, cwd: repo } },
    ...turns.flatMap(({ prompt, updates }): EventBody[] => {
      const turnId = uuidv7()
      return [
        { type: 'turn.queued', data: { turnId, prompt: [{ type: 'text', text: prompt }] } },
        { type: 'turn.started', data: { turnId } },
        ...updates.map((update): EventBody => ({ type: 'acp.update', data: { turnId, update } })),
        { type: 'turn.ended', data: { turnId, stopReason: 'end_turn' } },
      ]
    }),
    { type: 'session.ended', data: { status: 'completed', reason: 'user_request' } },
  ]
}

export function says(text: string): Update {
  return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }
}
