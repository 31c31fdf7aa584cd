// Port: the log of events, with the session and message rows that follow from it. A batch is the unit of a commit.
import type { SessionStatus } from '@quayside/protocol'
import type { MaybePromise } from './maybe-promise.js'

/** An event as it is stored and sent: its JSON in UTF-8, encoded once and only copied afterwards. */
export type EncodedEvent = { readonly seq: number; readonly bytes: Uint8Array }

export type NewEvent = EncodedEvent & {
  readonly at: number
  readonly type: string
  /** The slice of `bytes` that is the event's own data. */
  readonly data: Uint8Array
}

export type SessionInsert = {
  readonly repoId: string
  readonly extensionId: string
  readonly title: string | null
  /** JSON */
  readonly settings: string
  readonly at: number
}

export type SessionState = {
  readonly status: SessionStatus
  /** JSON */
  readonly metadata: string
  readonly endedAt: number | null
}

/** Columns of a session's row that a batch changes; absent columns keep their values. */
export type SessionColumns = {
  title?: string | null
  state?: SessionState
  /** JSON */
  settings?: string
  /** JSON */
  snapshot?: string
  pinned?: boolean
  archived?: boolean
  acpSessionId?: string
}

export type MessageWrite = {
  /** For a new row. */
  readonly id: string
  readonly itemId: string
  readonly turnId: string | null
  readonly role: string
  /** JSON */
  readonly content: string
  readonly isPartial: boolean
  readonly seq: number
  readonly updatedSeq: number
  readonly at: number
  readonly updatedAt: number
  /** The row exists and is updated. Otherwise it is inserted, and a row that exists after all is left as it is. */
  readonly hasRow: boolean
  /** The text that a search finds the message by; absent when the index need not change. */
  readonly searchText?: string | undefined
}

/** Everything that one commit changes of one session. */
export type SessionBatch = {
  readonly sessionId: string
  /** Set when the session begins in this batch. */
  created?: SessionInsert
  /** In order, without gaps. */
  readonly events: NewEvent[]
  readonly change: SessionColumns
  /** By item id. */
  readonly messages: Map<string, MessageWrite>
}

export type EventStore = {
  /** Stores all of it in one transaction; throws or rejects when nothing of it is stored. One call at a time. */
  commit(batch: readonly SessionBatch[]): MaybePromise<void>
  /** The events after `after`, oldest first. Consume or leave the iterable before awaiting anything. */
  read(sessionId: string, after: number, limit: number): MaybePromise<Iterable<EncodedEvent>>
  /** 0 when the session has no event. */
  lastSeq(sessionId: string): MaybePromise<number>
  /** The last event at this time or earlier, 0 when there is none. Times only go back when the clock is changed. */
  lastSeqUntil(sessionId: string, at: number): MaybePromise<number>
  hasTurn(sessionId: string): MaybePromise<boolean>
}
