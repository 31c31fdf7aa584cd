// Hubs that start with many stored sessions: rows of an older version, which the start migrates.
import { cpSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SessionList } from '@quayside/protocol'
import { closeDatabase, openDatabase } from '../src/store/sqlite/database.js'
import { migrateUp } from '../src/store/sqlite/migrations.js'
import { insert, NOON, TempFolder } from './store-fixture.js'
import { makeRepository, startTestHub, type TestHub } from './test-hub.js'
import { MIGRATIONS_FOLDER } from '../src/places.js'

export type StoredSession = {
  readonly id: string
  readonly repoId?: string
  readonly extensionId?: string
  readonly status?: string
  readonly title?: string
  readonly text?: string
  /** Seconds after noon. */
  readonly at: number
}

export async function startHubWith(sessions: readonly StoredSession[]): Promise<TestHub> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-hub-')))
  makeRepository(join(folder, 'workspace', 'shop-api'))
  store(join(folder, 'data'), sessions)
  return startTestHub({ folder, sharesAgent: true })
}

export function list(hub: TestHub, query = ''): Promise<SessionList> {
  return hub.get<SessionList>(`/api/sessions${query}`)
}

export function idsOf({ sessions }: SessionList): string[] {
  return sessions.map(({ id }) => id)
}

function store(dataDir: string, sessions: readonly StoredSession[]): void {
  mkdirSync(dataDir, { recursive: true })
  using first = new TempFolder()
  cpSync(join(MIGRATIONS_FOLDER, '0001_init'), first.file('0001_init'), { recursive: true })
  const db = openDatabase(join(dataDir, 'quayside.db'), { durability: 'normal' })
  migrateUp(db, first.path)
  for (const repo of new Set(sessions.map(({ repoId = 'r1' }) => repoId)))
    insert(db, 'Repo', { id: repo, path: `/stored/${repo}`, name: repo })
  db.exec('BEGIN')
  for (const { id, repoId = 'r1', title, text, at, ...kind } of sessions) {
    const createdAt = NOON + at * 1000
    insert(db, 'AgentSession', {
      id,
      repoId,
      extensionId: kind.extensionId ?? 'demo',
      status: kind.status ?? 'completed',
      title: title ?? null,
      createdAt,
      updatedAt: createdAt,
    })
    if (text === undefined) continue
    insert(db, 'AgentMessage', {
      id: `message-${id}`,
      sessionId: id,
      itemId: `user:${id}`,
      turnId: id,
      role: 'user',
      content: JSON.stringify({ type: 'text', text }),
      seq: 2,
      updatedSeq: 2,
    })
  }
  db.exec('COMMIT')
  closeDatabase(db)
}
