// Port: checkpoints of the fold of a log. They follow from its events and may be missing.
import type { MaybePromise } from './maybe-promise.js'

export type Checkpoint = {
  /** The last event folded in. */
  readonly seq: number
  /** The number of items that have begun or ended so far. It is the same at two checkpoints when only open items grew in between. */
  readonly steps: number
  /** JSON */
  readonly state: string
}

export type CheckpointStore = {
  /** The last one at this event or earlier. */
  find(sessionId: string, seq: number): MaybePromise<Checkpoint | undefined>
  /** The first event that has a checkpoint with this number of steps. */
  firstSeqOf(sessionId: string, steps: number): MaybePromise<number | undefined>
  /** Adds those of an old log that is read; one that exists is left as it is. A session that was removed gets none. */
  add(sessionId: string, checkpoints: readonly Checkpoint[]): MaybePromise<void>
}
