// The changes of each session in its repository: keeps the work tree when the session and its latest turn began, and
// compares it on request.
import { once } from 'node:events'
import { join } from 'node:path'
import type { SessionChanges as ChangesOfSession } from '@quayside/protocol'
import type { Log } from '../../log.js'
import {
  changesSince,
  type Snapshot,
  type SnapshotPlace,
  takeSnapshot,
} from '../../repos/working-tree-snapshot.js'
import type { Store } from '../../store/store.js'
import type { EventLog } from '../log/event-log.js'
import { findTurnSnapshot, keepTurnSnapshot, newTurnFolder } from './turn-snapshot.js'

/** A prompt waits this long for the snapshot of the work tree. A turn without one is not compared. */
const MAX_TURN_WAIT_MS = 2_000

export type SessionChangesDeps = {
  readonly store: Pick<Store, 'events' | 'sessions'>
  readonly folder: string
  readonly eventLog: EventLog
  readonly log: Log
}

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
  readonly #store: Pick<Store, 'events' | 'sessions'>
  /** Snapshots that are being taken, by session. */
  readonly #beginning = new Map<string, Promise<void>>()

  constructor(options: SessionChangesDeps) {
    this.#store = options.store
    this.#folder = options.folder
    this.#eventLog = options.eventLog
    this.#log = options.log
  }

  /** Keeps the work tree as it is now. A repository that cannot be read loses the comparison, not the session. */
  begin(id: string, repository: string): Promise<void> {
    return this.#keep(id, async () => {
      const snapshot = await takeSnapshot(repository, { folder: this.#folderOf(id) })
      await this.#eventLog.append(id, { type: 'session.updated', data: { snapshot } })
    })
  }

  /**
   * Keeps the work tree before a turn can change it. Resolves soon in any case; a snapshot that is late is
   * never used, because the agent may have changed files meanwhile.
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
  async read(id: string, repository: string, request: ChangesRequest): Promise<ChangesOfSession> {
    // A request right after the start waits for the snapshot.
    await this.#beginning.get(id)
    const { since, ...rest } = request
    const kept = since === 'turn' ? await this.#keptOfTurn(id) : await this.#keptOfSession(id)
    if (kept) return changesSince(repository, kept.snapshot, { ...kept.place, ...rest })
    const hasBegun = since === 'session' || (await this.#store.events.hasTurn(id))
    return { is: hasBegun ? 'gone' : 'none' }
  }

  async #keptOfSession(id: string): Promise<Kept | undefined> {
    const snapshot = await this.#store.sessions.findSnapshot(id)
    if (!snapshot) return undefined
    const place = { folder: this.#folderOf(id) }
    return { snapshot: JSON.parse(snapshot) as Snapshot, place }
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
