// The changes of each session in its repository. Keeps snapshots of the work tree at the beginning of the session, and before and after
// each of its turns, and compares them on request.
import { join } from 'node:path'
import type { SessionChanges as ChangesOfSession } from '@quayside/protocol'
import { within } from '../../deadline.js'
import type { Log } from '../../log.js'
import type { ChangesOptions } from '../../repos/git/tree-changes.js'
import { TreeWatches } from '../../repos/watch/tree-watches.js'
import {
  changesBetween,
  changesSince,
  type Snapshot,
  takeSnapshot,
} from '../../repos/git/working-tree-snapshot.js'
import type { Store } from '../../store/store.js'
import type { EventLog } from '../log/event-log.js'
import { findAfter, readCheckpoints } from './checkpoints.js'
import {
  findWriters,
  type KnownChanges,
  othersOf,
  sameIn,
  withWriters,
  type WritersRequest,
} from './file-writers.js'
import { type BegunTurn, NextSnapshot } from './next-snapshot.js'

/** A prompt waits this long for a snapshot of the work tree, on a very busy machine. Without one there is no comparison. */
const MAX_WAIT_MS = 10_000

export type SessionChangesDeps = {
  readonly store: Pick<Store, 'events' | 'sessions'>
  readonly folder: string
  readonly eventLog: EventLog
  readonly log: Log
}

type ChangesRequest = {
  readonly since: 'session' | 'turn'
  /** The changes of that turn alone. */
  readonly turnId?: string | undefined
  readonly path?: string | undefined
  readonly withPatches: boolean
}

type TurnOptions = ChangesOptions & { readonly repository: string; readonly folder: string }

/** `at` is the time at which its session or turn began, or an earlier one. */
type StoredSnapshot = { readonly snapshot: Snapshot; readonly at: number }

export class SessionChanges {
  readonly #folder: string
  readonly #eventLog: EventLog
  readonly #log: Log
  readonly #store: Pick<Store, 'events' | 'sessions'>
  /** Snapshots in progress, by session. */
  readonly #inProgress = new Map<string, Promise<void>>()
  /** Undo and redo in progress, by session. */
  readonly #restoring = new Map<string, Promise<unknown>>()

  /** The next snapshots of live sessions, by session. */
  readonly #next = new Map<string, NextSnapshot>()
  readonly #closing = new Set<Promise<void>>()
  readonly #watches: TreeWatches

  constructor(options: SessionChangesDeps) {
    this.#store = options.store
    this.#folder = options.folder
    this.#eventLog = options.eventLog
    this.#log = options.log
    this.#watches = new TreeWatches(options.log)
  }

  /** Takes the session's snapshot. Without one, for instance of an unreadable repository, the session runs but its changes cannot be shown. */
  begin(id: string, repository: string): Promise<void> {
    const { hubId } = this.#eventLog
    this.#nextOf(id, repository).prepareSoon()
    return this.#takeInTime(id, async () => {
      const snapshot = await takeSnapshot(repository, { folder: this.#folderOf(id) })
      const data = { snapshot }
      return () => this.#eventLog.append(id, { type: 'session.updated', data }, { hubId })
    })
  }

  /** Waits for an undo in progress, then keeps the work tree as it is before the turn can change it. */
  async beginTurn(id: string, repository: string, turn: BegunTurn): Promise<void> {
    const restoring = this.#restoring.get(id)
    if (restoring) await within(restoring, MAX_WAIT_MS)
    return this.#takeInTime(id, () => this.#nextOf(id, repository).take(turn))
  }

  /** Stops taking snapshots for a session that has ended. */
  end(id: string): void {
    const next = this.#next.get(id)
    if (next === undefined) return
    this.#next.delete(id)
    const closed = next.close().finally(() => this.#closing.delete(closed))
    this.#closing.add(closed)
  }

  /** Also for sessions whose end could not be stored. Resolves when no snapshot is being written any more. */
  async close(): Promise<void> {
    for (const id of this.#next.keys()) this.end(id)
    await Promise.all(this.#closing)
  }

  /** Runs `work`, which changes files, when the snapshots in progress are kept. A turn that begins meanwhile waits for it. */
  restore<T>(id: string, work: () => Promise<T>): Promise<T> {
    const restored = this.settle(id).then(work)
    const settled = Promise.allSettled([restored])
    this.#restoring.set(id, settled)
    return restored.finally(() => this.#restoring.get(id) === settled && this.#restoring.delete(id))
  }

  /** Resolves when the snapshots in progress are kept. */
  async settle(id: string): Promise<void> {
    await this.#inProgress.get(id)
    await this.#next.get(id)?.settle()
  }

  /** `gone` when there is no snapshot, `none` when no turn has started. */
  async read(id: string, repository: string, request: ChangesRequest): Promise<ChangesOfSession> {
    await this.settle(id)
    const { since, turnId, ...rest } = request
    const options = { ...rest, folder: this.#folderOf(id) }
    if (turnId !== undefined) return this.#readTurn(id, turnId, { repository, ...options })
    const stored = since === 'turn' ? await this.#findOfTurn(id) : await this.#findOfSession(id)
    if (stored) {
      const found = await changesSince(repository, stored.snapshot, options)
      if (found.is !== 'known' || found.files.length === 0) return found
      return this.#markOthers(found, { id, repository, since: stored.at })
    }
    const hasBegun =
      since === 'session' || (await this.#store.events.findLastTurn(id)) !== undefined
    return { is: hasBegun ? 'gone' : 'none' }
  }

  /** Compares with the present work tree until the one after the turn is kept. */
  async #readTurn(id: string, turnId: string, options: TurnOptions): Promise<ChangesOfSession> {
    const { repository, ...rest } = options
    const checkpoints = await readCheckpoints(this.#folderOf(id))
    const before = checkpoints.turns.get(turnId)?.before
    if (before === undefined) return { is: 'gone' }
    const after = findAfter(checkpoints, turnId)
    if (after === undefined) return changesSince(repository, before, rest)
    return changesBetween(repository, { from: before, to: after }, rest)
  }

  async #findOfSession(id: string): Promise<StoredSnapshot | undefined> {
    const snapshot = await this.#store.sessions.findSnapshot(id)
    const row = await this.#store.sessions.findSummary(id)
    return snapshot && row
      ? { snapshot: JSON.parse(snapshot) as Snapshot, at: row.createdAt }
      : undefined
  }

  async #findOfTurn(id: string): Promise<StoredSnapshot | undefined> {
    const { turns } = await readCheckpoints(this.#folderOf(id))
    const { before, beganAt } = [...turns.values()].at(-1) ?? {}
    return before && { snapshot: before, at: beganAt ?? before.at }
  }

  /** Marks files of other sessions: by their tool calls, and by turns of active sessions that began after the last event of this one. */
  async #markOthers(changes: KnownChanges, request: WritersRequest): Promise<KnownChanges> {
    const { sessions } = this.#store
    const { id, repository } = request
    const { own, others } = await findWriters(sessions, request)
    const writers = new Map(others)
    const { updatedAt = Number.POSITIVE_INFINITY } = (await sessions.findSummary(id)) ?? {}
    for (const { id: sessionId, title, status } of await othersOf(sessions, id, updatedAt)) {
      const stored = status === 'active' ? await this.#findOfTurn(sessionId) : undefined
      if (stored === undefined || stored.at <= updatedAt) continue
      const options = { folder: this.#folderOf(sessionId), withPatches: false }
      const theirs = await changesSince(repository, stored.snapshot, options)
      for (const path of sameIn(changes, theirs))
        if (!own.has(path) && !writers.has(path)) writers.set(path, { sessionId, title })
    }
    return withWriters(changes, writers)
  }

  /**
   * `take` returns the function that keeps the snapshot. Resolves after ten seconds at the latest; a later snapshot is
   * discarded, because the agent may have changed files meanwhile.
   */
  async #takeInTime(id: string, take: () => Promise<() => unknown>): Promise<void> {
    let isLate = false
    const taken = this.#track(id, async () => {
      const keep = await take()
      if (isLate) throw new Error(`the snapshot took longer than ${MAX_WAIT_MS / 1_000} seconds`)
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

  #nextOf(id: string, repository: string): NextSnapshot {
    const known = this.#next.get(id)
    if (known) return known
    const folder = this.#folderOf(id)
    const log = this.#log.child({ sessionId: id })
    const next = new NextSnapshot({ repository, folder, watches: this.#watches, log })
    this.#next.set(id, next)
    return next
  }

  #folderOf(id: string): string {
    return join(this.#folder, id)
  }
}
