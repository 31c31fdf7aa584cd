// What each session changed in its repository: the work tree when it began, and when its latest turn began, are kept,
// and compared when somebody asks.
import { once } from 'node:events'
import { join } from 'node:path'
import type { SessionChanges as ChangesOfSession } from '@quayside/protocol'
import type { Log } from '../../log.js'
import {
  changesSince,
  type Snapshot,
  type SnapshotLocation,
  takeSnapshot,
} from '../../repos/working-tree-snapshot.js'
import type { Database } from '../../store/database.js'
import type { EventLog } from '../log/event-log.js'
import { findTurnSnapshot, keepTurnSnapshot, newTurnFolder } from './turn-snapshot.js'

/** So long a prompt waits for the work tree to be kept. Where that is not enough, its turn is not compared. */
const MAX_TURN_WAIT_MS = 2_000

type Wish = {
  readonly since: 'session' | 'turn'
  readonly path?: string | undefined
  readonly withPatches: boolean
}

type Kept = { readonly snapshot: Snapshot; readonly place: SnapshotLocation }

export class SessionChanges {
  readonly #folder: string
  readonly #eventLog: EventLog
  readonly #log: Log
  readonly #find
  readonly #findTurn
  /** Work trees that are being kept right now, by session. */
  readonly #beginning = new Map<string, Promise<void>>()

  constructor(options: { db: Database; folder: string; eventLog: EventLog; log: Log }) {
    const { db } = options
    this.#folder = options.folder
    this.#eventLog = options.eventLog
    this.#log = options.log
    this.#find = db.prepare('SELECT snapshot FROM AgentSession WHERE id = ?')
    this.#findTurn = db.prepare(
      "SELECT 1 FROM AgentEvent WHERE sessionId = ? AND type = 'turn.started' LIMIT 1",
    )
  }

  /** Keeps the work tree as it is now. A repository that cannot be read costs the comparison, not the session. */
  begin(id: string, repository: string): Promise<void> {
    return this.#keep(id, async () => {
      const snapshot = await takeSnapshot(repository, { folder: this.#folderOf(id) })
      await this.#eventLog.append(id, { type: 'session.updated', data: { snapshot } })
    })
  }

  /**
   * Keeps the work tree before a turn can change it. Resolves in any case soon; what is not kept by then is
   * never used, because the agent may have been at work in it.
   */
  async beginTurn(id: string, repository: string): Promise<void> {
    const late = AbortSignal.timeout(MAX_TURN_WAIT_MS)
    const kept = this.#keep(id, async () => {
      const folder = await newTurnFolder(this.#folderOf(id))
      const snapshot = await takeSnapshot(repository, { folder, known: this.#folderOf(id) })
      if (late.aborted) throw new Error('It took too long.')
      await keepTurnSnapshot(folder, snapshot)
    })
    await Promise.race([kept, once(late, 'abort')])
  }

  /** `gone` when nothing was kept, `none` when no turn has begun. */
  async read(id: string, repository: string, wish: Wish): Promise<ChangesOfSession> {
    // Whoever looks at what has only just begun waits for what it is compared with.
    await this.#beginning.get(id)
    const { since, ...rest } = wish
    const kept = since === 'turn' ? await this.#keptOfTurn(id) : this.#keptOfSession(id)
    if (kept) return changesSince(repository, kept.snapshot, { ...kept.place, ...rest })
    const hasBegun = since === 'session' || this.#findTurn.get(id) !== undefined
    return { is: hasBegun ? 'gone' : 'none' }
  }

  #keptOfSession(id: string): Kept | undefined {
    const row = this.#find.get(id) as { snapshot: string | null } | undefined
    if (!row?.snapshot) return undefined
    const place = { folder: this.#folderOf(id) }
    return { snapshot: JSON.parse(row.snapshot) as Snapshot, place }
  }

  async #keptOfTurn(id: string): Promise<Kept | undefined> {
    const known = this.#folderOf(id)
    const kept = await findTurnSnapshot(known)
    return kept && { snapshot: kept.snapshot, place: { folder: kept.folder, known } }
  }

  #keep(id: string, keep: () => Promise<void>): Promise<void> {
    const kept = keep()
      .catch((error: unknown) => {
        const facts = { err: error, sessionId: id }
        this.#log.warn(facts, 'the work tree could not be kept for comparison')
      })
      .finally(() => {
        if (this.#beginning.get(id) === kept) this.#beginning.delete(id)
      })
    this.#beginning.set(id, kept)
    return kept
  }

  #folderOf(id: string): string {
    return join(this.#folder, id)
  }
}
