// The changes of each session in its repository. Keeps snapshots of the work tree at the beginning of the session and of
// its latest turn, and compares them on request.
import { join } from 'node:path'
import type { SessionChanges as ChangesOfSession } from '@quayside/protocol'
import { within } from '../../deadline.js'
import type { Log } from '../../log.js'
import {
  changesSince,
  type Snapshot,
  type SnapshotPlace,
  takeSnapshot,
} from '../../repos/working-tree-snapshot.js'
import type { Database } from '../../store/database.js'
import type { EventLog } from '../log/event-log.js'
import { findTurnSnapshot, keepTurnSnapshot, newTurnFolder } from './turn-snapshot.js'

/** A prompt waits this long for the snapshot. A turn whose snapshot takes longer has no comparison. */
const MAX_TURN_WAIT_MS = 2_000

type ChangesRequest = {
  readonly since: 'session' | 'turn'
  readonly path?: string | undefined
  readonly withPatches: boolean
}

type Kept = { readonly snapshot: Snapshot; readonly place: SnapshotPlace }

export class SessionChanges {
  readonly #folder: string
  readonly #eventLog: EventLog
  readonly #log: Log
  readonly #find
  readonly #findTurn
  /** Snapshots in progress, by session. */
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

  /** Takes the session's snapshot. An unreadable repository costs the comparison, not the session. */
  begin(id: string, repository: string): Promise<void> {
    return this.#keep(id, async () => {
      const snapshot = await takeSnapshot(repository, { folder: this.#folderOf(id) })
      await this.#eventLog.append(id, { type: 'session.updated', data: { snapshot } })
    })
  }

  /**
   * Takes a snapshot before a turn can change the work tree. Resolves after two seconds at the latest; a later snapshot is
   * discarded, because the agent may have changed files meanwhile.
   */
  async beginTurn(id: string, repository: string): Promise<void> {
    let isLate = false
    const kept = this.#keep(id, async () => {
      const folder = await newTurnFolder(this.#folderOf(id))
      const snapshot = await takeSnapshot(repository, { folder, known: this.#folderOf(id) })
      if (isLate) throw new Error('It took too long.')
      await keepTurnSnapshot(folder, snapshot)
    })
    await within(kept, MAX_TURN_WAIT_MS, () => (isLate = true))
  }

  /** `gone` when there is no snapshot, `none` when no turn has started. */
  async read(id: string, repository: string, request: ChangesRequest): Promise<ChangesOfSession> {
    // A snapshot in progress is awaited.
    await this.#beginning.get(id)
    const { since, ...rest } = request
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
        this.#log.warn(facts, 'no snapshot of the work tree; changes cannot be compared')
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
