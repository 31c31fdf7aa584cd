// Port: measuring and removing ended sessions in small steps, so that the sessions that run are not held up.
import type { MaybePromise } from './maybe-promise.js'

export type StoredSession = {
  readonly id: string
  readonly title: string | null
  readonly isEnded: boolean
  readonly isPinned: boolean
  /** Its events are the beginning of other logs. */
  readonly hasForks: boolean
  /** Milliseconds since 1970: when it ended, or last changed. */
  readonly endedAt: number
  readonly lastSeq: number
}

export type MediaUse = {
  readonly sha256: string
  /** Null for media that belong to no session. */
  readonly sessionId: string | null
  readonly byteLength: number
}

export type SessionPart = 'events' | 'messages' | 'checkpoints'
export type RowsSize = { readonly count: number; readonly bytes: number }
/** Opaque to callers: where the next step begins. */
export type StepKey = number | string
/** `next` is absent after the last step. */
export type Step<T> = T & { readonly next?: StepKey | undefined }

export type RemovalCondition = {
  /** Only while this is still the session's last event. */
  readonly lastSeq?: number
  readonly evenPinned?: boolean
}

export type UpkeepStore = {
  /** Without those of other machines that share the database. */
  sessions(after?: StepKey): MaybePromise<Step<{ readonly rows: readonly StoredSession[] }>>
  measure(part: SessionPart, sessionId: string, after?: StepKey): MaybePromise<Step<RowsSize>>
  mediaUses(after?: StepKey): MaybePromise<Step<{ readonly rows: readonly MediaUse[] }>>

  /** Marks an ended session for removal. False when it is active, unknown, has forks, or the condition does not hold. */
  mark(sessionId: string, condition: RemovalCondition): MaybePromise<boolean>
  /** Resuming a session clears its mark. */
  marked(): MaybePromise<readonly string[]>
  /** Removes some rows of a marked session; `count` is 0 when none are left. Undefined when the session is not marked. */
  removeRows(part: SessionPart, sessionId: string): MaybePromise<RowsSize | undefined>
  /** Removes a marked session with its media uses, and returns the hashes of these. */
  removeSession(sessionId: string): MaybePromise<readonly string[]>
  /** Free space inside the database, which new rows use. */
  reusableBytes(): MaybePromise<number>
}
