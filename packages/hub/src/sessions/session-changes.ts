// What each session changed in its repository: the work tree when it began is kept, and compared when somebody asks.
import { join } from 'node:path'
import type { SessionChanges as ChangesOfSession } from '@quayside/protocol'
import type { Log } from '../log.js'
import { changesSince, type Snapshot, takeSnapshot } from '../repos/working-tree-snapshot.js'
import type { Database } from '../store/database.js'
import type { EventLog } from './event-log.js'

export class SessionChanges {
  readonly #folder: string
  readonly #eventLog: EventLog
  readonly #log: Log
  readonly #find
  /** Work trees that are being kept right now, by session. */
  readonly #beginning = new Map<string, Promise<void>>()

  constructor(options: { db: Database; folder: string; eventLog: EventLog; log: Log }) {
    this.#folder = options.folder
    this.#eventLog = options.eventLog
    this.#log = options.log
    this.#find = options.db.prepare('SELECT snapshot FROM AgentSession WHERE id = ?')
  }

  /** Keeps the work tree as it is now. A repository that cannot be read costs the comparison, not the session. */
  begin(id: string, repository: string): Promise<void> {
    const kept = this.#keep(id, repository).finally(() => this.#beginning.delete(id))
    this.#beginning.set(id, kept)
    return kept
  }

  async #keep(id: string, repository: string): Promise<void> {
    try {
      const snapshot = await takeSnapshot(repository, join(this.#folder, id))
      await this.#eventLog.append(id, { type: 'session.updated', data: { snapshot } })
    } catch (error) {
      this.#log.warn(
        { err: error, sessionId: id },
        'the work tree could not be kept for comparison',
      )
    }
  }

  /** `gone` when nothing was kept. */
  async read(
    id: string,
    repository: string,
    wish: { path?: string | undefined; withPatches: boolean },
  ): Promise<ChangesOfSession> {
    // Whoever looks at a session that has only just begun waits for what it is compared with.
    await this.#beginning.get(id)
    const row = this.#find.get(id) as { snapshot: string | null } | undefined
    if (!row?.snapshot) return { is: 'gone' }
    const snapshot = JSON.parse(row.snapshot) as Snapshot
    const { path, withPatches } = wish
    const folder = join(this.#folder, id)
    return changesSince(repository, snapshot, {
      folder,
      withPatches,
      ...(path === undefined ? {} : { path }),
    })
  }
}
