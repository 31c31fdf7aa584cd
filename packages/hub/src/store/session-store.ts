// Port: reading the rows of sessions and their messages: lists, details, positions of prompts.
import type { SessionStatus } from '@quayside/protocol'
import type { SessionOwner } from './cluster-store.js'
import type { MaybePromise } from './maybe-promise.js'

/** Times are milliseconds since 1970. Only a database of several hubs knows an owner. */
export type SummaryRow = {
  readonly id: string
  readonly repoId: string
  readonly extensionId: string
  readonly status: SessionStatus
  readonly title: string | null
  /** JSON */
  readonly metadata: string
  readonly lastSeq: number
  readonly pinned: boolean
  readonly archived: boolean
  readonly turnCount: number
  readonly messageCount: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly endedAt: number | null
  /** JSON */
  readonly workspace: string | null
  /** The session that was forked, with its last event and turn that are shared. */
  readonly forkedFrom: string | null
  readonly forkedSeq: number | null
  readonly forkedTurn: string | null
  /** JSON of what an active session does, for hubs that do not run it. */
  readonly activity?: string | null
} & Partial<SessionOwner>

export type SessionRow = SummaryRow & {
  readonly acpSessionId: string | null
  /** JSON */
  readonly settings: string
}

export type MessageRow = {
  readonly id: string
  readonly sessionId: string
  readonly itemId: string
  readonly turnId: string | null
  readonly role: string
  /** JSON */
  readonly content: string
  readonly partial: boolean
  readonly seq: number
  readonly updatedSeq: number
  readonly timestamp: number
  readonly updatedAt: number
}

/** The sessions that a list or a search is about. */
export type SessionFilter = {
  readonly scope: { readonly repoId?: string; readonly extensionId?: string }
  /** Undefined for all of them. */
  readonly statuses: readonly SessionStatus[] | undefined
  readonly archived: readonly boolean[]
}

export type SessionPage = {
  readonly rows: readonly SummaryRow[]
  /** All sessions of the filter, on any page. */
  readonly total: number
}

export type PageRequest = {
  readonly filter: SessionFilter
  /** The last row of the page before. */
  readonly after?: { readonly createdAt: number; readonly id: string } | undefined
  readonly limit: number
  readonly offset: number
}

/** The messages that began with the events after `after`, up to `until`. */
export type MessageRange = {
  readonly after: number
  readonly until: number
  /** Only those changed after an event or a time, and all partial ones: only memory has their last change. */
  readonly changedAfter?: { readonly seq: number } | { readonly at: number } | undefined
}

/** A message on the way of a search through one session. */
export type ScannedMessage = {
  readonly itemId: string
  readonly turnId: string | null
  readonly partial: boolean
  readonly seq: number
  readonly updatedSeq: number
  /** JSON; null when it does not contain the text. A message that is partial always has it. */
  readonly content: string | null
}

/** A message on the way of a search for changed files. */
export type ScannedEdit = {
  readonly seq: number
  /** When it began. */
  readonly at: number
  /** JSON of a tool call that edits, deletes or moves files; null for any other message. */
  readonly content: string | null
}

/** A fork has the messages of the session that was forked, except prompts that waited there and were never sent here. */
export type SessionStore = {
  findSummary(id: string): MaybePromise<SummaryRow | undefined>
  /** In the order of the ids; unknown ones are left out. */
  findSummaries(ids: readonly string[]): MaybePromise<readonly SummaryRow[]>
  find(id: string): MaybePromise<SessionRow | undefined>
  /** JSON of the work tree when the session began. Megabytes for a large one, so no other row carries it. */
  findSnapshot(id: string): MaybePromise<string | undefined>
  /** Newest first. Costs the same among a hundred sessions and among a hundred thousand. */
  page(request: PageRequest): MaybePromise<readonly SummaryRow[]>
  pageWithTotal(request: PageRequest): MaybePromise<SessionPage>
  /** Without those of other machines that share the database. */
  activeIds(): MaybePromise<readonly string[]>
  forkIds(id: string): MaybePromise<readonly string[]>
  /** The agents that have sessions, also those that are no longer installed. */
  extensionIds(): MaybePromise<readonly string[]>

  /** In the order they began. Consume or leave the iterable before awaiting anything. */
  messages(sessionId: string, range: MessageRange): MaybePromise<Iterable<MessageRow>>
  /**
   * All messages that began before an event, newest first, so that the caller can stop at any of them. A content may be one that
   * contains the text only by its JSON. Consume or leave the iterable before awaiting anything.
   */
  scanMessages(
    sessionId: string,
    before: number,
    wanted: string,
  ): MaybePromise<Iterable<ScannedMessage>>
  /** The same with the contents of tool calls that change files. */
  scanEdits(sessionId: string, before: number): MaybePromise<Iterable<ScannedEdit>>
  /** The seq of the message that is `count` messages before `before`. */
  findMessageBefore(
    sessionId: string,
    before: number,
    count: number,
  ): MaybePromise<number | undefined>
  /** The seq of a turn's prompt. */
  findPrompt(sessionId: string, turnId: string): MaybePromise<number | undefined>
  /** The seq of the prompt that is the `count`th from `until` backwards, with or without a turn. */
  findPromptBack(sessionId: string, until: number, count: number): MaybePromise<number | undefined>
}
