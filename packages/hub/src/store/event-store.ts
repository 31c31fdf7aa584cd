// Port: the log of events, with the session and message rows that follow from it. A batch is the unit of a commit.
import type { ForkPoint, SessionStatus } from '@quayside/protocol'
import type { Checkpoint } from './checkpoint-store.js'
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
  /** JSON */
  readonly workspace: string
  /** The log begins with that session's events, and the first event of this one follows them. */
  readonly forkedFrom?: ForkPoint | undefined
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
  /** JSON */
  workspace?: string
  pinned?: boolean
  archived?: boolean
  acpSessionId?: string
  /** JSON. Only planned for a database that several hubs share. */
  activity?: string
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
  /** The row exists and is updated, if it began with the same event. Otherwise it is inserted, and a row that exists is left as it is. */
  readonly hasRow: boolean
  /** It has a text that a search finds and that this write changes. */
  readonly isSearched: boolean
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
  readonly checkpoints: Checkpoint[]
}

/** The place in the log of a turn that has begun. */
export type TurnRange = {
  readonly turnId: string
  readonly startedSeq: number
  readonly endedSeq?: number
}

/** The log of a fork begins with the events of the session that was forked. */
export type EventStore = {
  /** Of the current registration of this hub: another one after its lease has lapsed. Absent in an engine of one hub. */
  readonly hubId?: string
  /** This hub alone writes the session now, so its memory is the truth. Absent in an engine of one hub, where that is always so. */
  isOwn?(sessionId: string): boolean
  /** Another hub had the session last, or has it. Absent in an engine of one hub. */
  isTaken?(sessionId: string): MaybePromise<boolean>
  /**
   * Stores all of it in one transaction; throws or rejects when nothing of it is stored, as for a fork of a session that is being
   * removed. One call at a time.
   */
  commit(batch: readonly SessionBatch[]): MaybePromise<void>
  /** The events after `after`, oldest first. Once begun, consume or leave the iterable before awaiting anything. */
  read(sessionId: string, after: number, limit: number): MaybePromise<Iterable<EncodedEvent>>
  /** 0 when the session has no event. */
  lastSeq(sessionId: string): MaybePromise<number>
  /** The last event at this time or earlier, 0 when there is none. Times only go back when the clock is changed. */
  lastSeqUntil(sessionId: string, at: number): MaybePromise<number>
  findTurn(sessionId: string, turnId: string): MaybePromise<TurnRange | undefined>
  /** The turn that began last, up to an event. */
  findLastTurn(sessionId: string, until?: number): MaybePromise<TurnRange | undefined>
}
