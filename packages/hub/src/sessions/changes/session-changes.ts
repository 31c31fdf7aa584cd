// The changes of each session in its repository. Keeps snapshots of the work tree at the beginning of the session and of
// its latest turn, and compares them on request.
import { join } from 'node:path'
import type { SessionChanges as ChangesOfSession } from '@quayside/protocol'
import { within } from '../../deadline.js'
import type { Log } from '../../log.js'
import {
  changesSince,
  type Snapshot,
  type SnapshotLocation,
  takeSnapshot,
} from '../../repos/git/working-tree-snapshot.js'
import type { Store } from '../../store/store.js'
import type { EventLog } from '../log/event-log.js'
import { findTurnSnapshot, keepTurnSnapshot, newTurnFolder } from './turn-snapshot.js'

/** A prompt waits this long for a snapshot of the work tree. Without one there is no comparison. */
const MAX_WAIT_MS = 3_000

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

type StoredSnapshot = { readonly snapshot: Snapshot; readonly location: SnapshotLocation }

export class SessionChanges {
  readonly #folder: string
  readonly #eventLog: EventLog
  readonly #log: Log
  readonly #store: Pick<Store, 'events' | 'sessions'>
  /** Snapshots in progress, by session. */
  readonly #inProgress = new Map<string, Promise<void>>()

  constructor(options: SessionChangesDeps) {
    this.#store = options.store
    this.#folder = options.folder
    this.#eventLog = options.eventLog
    this.#log = options.log
  }

  /** Takes the session's snapshot. An unreadable repository costs the comparison, not the session. */
  begin(id: string, repository: string): Promise<void> {
    return this.#takeInTime(id, async () => {
      const snapshot = await takeSnapshot(repository, { folder: this.#folderOf(id) })
      return () => this.#eventLog.append(id, { type: 'session.updated', data: { snapshot } })
    })
  }

  /** Takes a snapshot before a turn can change the work tree. */
  beginTurn(id: string, repository: string): Promise<void> {
    return this.#takeInTime(id, async () => {
      const folder = await newTurnFolder(this.#folderOf(id))
      const snapshot = await takeSnapshot(repository, { folder, known: this.#folderOf(id) })
      return () => keepTurnSnapshot(folder, snapshot)
    })
  }

  /** `gone` when there is no snapshot, `none` when no turn has started. */
  async read(id: string, repository: string, request: ChangesRequest): Promise<ChangesOfSession> {
    // A snapshot in progress is awaited.
    await this.#inProgress.get(id)
    const { since, ...rest } = request
    const stored = since === 'turn' ? await this.#findOfTurn(id) : await this.#findOfSession(id)
    if (stored) return changesSince(repository, stored.snapshot, { ...stored.location, ...rest })
    const hasBegun = since === 'session' || (await this.#store.events.hasTurn(id))
    return { is: hasBegun ? 'gone' : 'none' }
  }

  async #findOfSession(id: string): Promise<StoredSnapshot | undefined> {
    const snapshot = await this.#store.sessions.findSnapshot(id)
    if (!snapshot) return undefined
    const location = { folder: this.#folderOf(id) }
    return { snapshot: JSON.parse(snapshot) as Snapshot, location }
  }

  async #findOfTurn(id: string): Promise<StoredSnapshot | undefined> {
    const known = this.#folderOf(id)
    const found = await findTurnSnapshot(known)
    return found && { snapshot: found.snapshot, location: { folder: found.folder, known } }
  }

  /**
   * `take` returns the function that keeps the snapshot. Resolves after three seconds at the latest; a later snapshot is
   * discarded, because the agent may have changed files meanwhile.
   */
  async #takeInTime(id: string, take: () => Promise<() => Promise<unknown>>): Promise<void> {
    let isLate = false
    const taken = this.#track(id, async () => {
      const keep = await take()
      if (isLate) throw new Error('It took too long.')
      await keep()
    })
    await within(taken, MAX_WAIT_MS, () => (isLate = true))
  }

  #track(id: string, take: () => Promise<void>): Promise<void> {
    const taken = take()
      .catch((error: unknown) => {
        const facts = { err: error, sessionId: id }
        this.#log.warn(facts, 'no snapshot of the work tree; changes cannot be compared')
      })
      .finally(() => {
        if (this.#inProgress.get(id) === taken) this.#inProgress.delete(id)
      })
    this.#inProgress.set(id, taken)
    return taken
  }

  #folderOf(id: string): string {
    return join(this.#folder, id)
  }
}
