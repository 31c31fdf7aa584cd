// Takes the snapshots of one live session in the background: when a turn has ended, and when files have changed since. The work tree after
// a turn is also the one before the next turn, so a prompt rarely waits for git.
import { setImmediate } from 'node:timers/promises'
import { within } from '../../deadline.js'
import type { Log } from '../../log.js'
import type { Mark } from '../../repos/watch/tree-watch.js'
import type { SharedTreeWatch, TreeWatches } from '../../repos/watch/tree-watches.js'
import { type Snapshot, takeSnapshot } from '../../repos/git/working-tree-snapshot.js'
import { adoptNext, keepFact, newNextFolder } from './checkpoints.js'

export type NextSnapshotDeps = {
  readonly repository: string
  /** The session's own folder. */
  readonly folder: string
  readonly watches: TreeWatches
  readonly log: Log
}

/** `ended` resolves at the end of the turn. */
export type BegunTurn = { readonly turnId: string; readonly ended: Promise<void> }

/** The latest snapshot. It is `kept` when it is part of a checkpoint. */
type Latest = { readonly mark: Mark; readonly snapshot: Snapshot; readonly isKept: boolean }

/** The pause after a change doubles with each snapshot that no turn has used. */
const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 16_000
/** A prompt waits this long for a snapshot that is being prepared, then takes its own. */
const MAX_WAIT_MS = 1_000

export class NextSnapshot {
  readonly #deps: NextSnapshotDeps
  readonly #watch: SharedTreeWatch
  #latest: Latest | undefined
  /** The turn whose work tree after it is not kept yet. */
  #ended: string | undefined
  #preparing: Promise<void> | undefined
  /** A turn has begun without waiting for the snapshot that is being prepared, so its agent may have changed files meanwhile. */
  #isOvertaken = false
  #state: 'idle' | 'inTurn' | 'closed' = 'idle'
  #timer: NodeJS.Timeout | undefined
  #pauseMs = FIRST_PAUSE_MS

  constructor(deps: NextSnapshotDeps) {
    this.#deps = deps
    this.#watch = deps.watches.open(deps.repository, () => this.prepareSoon())
  }

  /** Idempotent. During a turn the snapshot is prepared at its end. */
  prepareSoon(): void {
    if (this.#state !== 'idle' || this.#timer) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#prepare()
    }, this.#pauseMs).unref()
    this.#pauseMs = Math.min(this.#pauseMs * 2, MAX_PAUSE_MS)
  }

  /**
   * The work tree before the turn that begins now: the latest snapshot if nothing has changed since, otherwise a new one, which the
   * returned function keeps.
   */
  async take(turn: BegunTurn): Promise<() => void> {
    const { turnId } = turn
    this.#beginTurn(turn)
    if (this.#preparing) await within(this.#preparing, MAX_WAIT_MS)
    if (await this.#useLatest(turnId)) return () => {}
    return this.#takeNow(turnId)
  }

  /** Resolves when a snapshot that is being prepared is kept. */
  async settle(): Promise<void> {
    await this.#preparing
  }

  /** Resolves when the last write is done. */
  async close(): Promise<void> {
    this.#state = 'closed'
    clearTimeout(this.#timer)
    this.#watch[Symbol.dispose]()
    await this.#preparing
  }

  #beginTurn({ turnId, ended }: BegunTurn): void {
    this.#state = 'inTurn'
    clearTimeout(this.#timer)
    this.#timer = undefined
    void ended.then(() => this.#endTurn(turnId))
  }

  async #endTurn(turnId: string): Promise<void> {
    this.#ended = turnId
    if (this.#state !== 'inTurn') return
    this.#state = 'idle'
    this.#pauseMs = FIRST_PAUSE_MS
    // A queued prompt begins its turn first.
    await setImmediate()
    this.#prepare()
  }

  #prepare(): void {
    if (this.#preparing) return this.prepareSoon()
    if (this.#state !== 'idle') return
    const { log } = this.#deps
    this.#isOvertaken = false
    this.#preparing = this.#takeNext()
      .catch((error: unknown) => log.debug({ err: error }, 'no snapshot in advance'))
      .finally(() => (this.#preparing = undefined))
  }

  async #takeNext(): Promise<void> {
    const { repository, folder } = this.#deps
    const latest = this.#latest
    if (latest && (await this.#watch.isUnchangedSince(latest.mark)))
      return this.#keepAfter(latest.snapshot)
    const mark = await this.#watch.cover()
    if (!this.#isNeeded(mark)) return
    this.#latest = undefined
    const next = await newNextFolder(folder)
    const snapshot = await takeSnapshot(repository, { folder: next, known: folder })
    if (this.#isOvertaken) return
    const isKept = this.#ended !== undefined
    if (isKept) await adoptNext(folder)
    this.#keepAfter(snapshot)
    if (mark !== undefined) this.#latest = { mark, snapshot, isKept }
    this.#deps.log.debug('snapshot in advance')
  }

  /** A prompt that waits for the snapshot can use it, unless it has no mark. */
  #isNeeded(mark: Mark | undefined): boolean {
    if (this.#isOvertaken || this.#state === 'closed') return false
    // Without a watch, only the work tree after a turn is worth a snapshot.
    return mark !== undefined || (this.#state === 'idle' && this.#ended !== undefined)
  }

  async #useLatest(turnId: string): Promise<boolean> {
    const latest = this.#latest
    if (latest === undefined || !(await this.#watch.isUnchangedSince(latest.mark))) return false
    if (!latest.isKept) await adoptNext(this.#deps.folder)
    this.#latest = { ...latest, isKept: true }
    this.#keepBefore(turnId, latest.snapshot)
    return true
  }

  async #takeNow(turnId: string): Promise<() => void> {
    const { repository, folder } = this.#deps
    this.#latest = undefined
    this.#isOvertaken = this.#preparing !== undefined
    // The turn is recorded first: without its snapshot its changes count as unknown, not as those of the turn before.
    keepFact(folder, { turnId })
    const snapshot = await takeSnapshot(repository, { folder })
    return () => this.#keepBefore(turnId, snapshot)
  }

  #keepBefore(turnId: string, before: Snapshot): void {
    this.#keepAfter(before)
    keepFact(this.#deps.folder, { turnId, before, beganAt: Date.now() })
  }

  #keepAfter(after: Snapshot): void {
    const turnId = this.#ended
    this.#ended = undefined
    if (turnId !== undefined) keepFact(this.#deps.folder, { turnId, after })
  }
}
