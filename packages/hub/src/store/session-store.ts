// Port: reading the rows of sessions and their messages: lists, details, positions of prompts.
import type { SessionStatus } from '@quayside/protocol'
import type { MaybePromise } from './maybe-promise.js'

/** Times are milliseconds since 1970. */
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
}

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

export type PageRequest = {
  readonly filter: SessionFilter
  /** The last row of the page before. */
  readonly after?: { readonly createdAt: number; readonly id: string } | undefined
  readonly limit: number
  readonly offset: number
}

export type PromptRow = { readonly seq: number; readonly turnId: string }

export type SessionStore = {
  findSummary(id: string): MaybePromise<SummaryRow | undefined>
  find(id: string): MaybePromise<SessionRow | undefined>
  /** JSON of the work tree when the session began. Megabytes for a large one, so no other row carries it. */
  findSnapshot(id: string): MaybePromise<string | undefined>
  /** Newest first. Costs the same among a hundred sessions and among a hundred thousand. */
  page(request: PageRequest): MaybePromise<readonly SummaryRow[]>
  count(filter: SessionFilter): MaybePromise<number>
  activeIds(): MaybePromise<readonly string[]>
  /** The agents that have sessions, also those that are no longer installed. */
  extensionIds(): MaybePromise<readonly string[]>

  messages(sessionId: string): MaybePromise<readonly MessageRow[]>
  /** Messages changed after an event or a time, and all partial ones: only memory has their last change. */
  messagesAfter(
    sessionId: string,
    after: { readonly seq: number } | { readonly at: number },
  ): MaybePromise<readonly MessageRow[]>
  /** The seq of the message that is `count` messages before `before`. */
  findMessageBefore(
    sessionId: string,
    before: number,
    count: number,
  ): MaybePromise<number | undefined>
  /** Prompts of turns in the order they were stored. */
  prompts(sessionId: string): MaybePromise<readonly PromptRow[]>
  /** Prompts of turns up to `seq`, newest first, at most one page. */
  promptsUntil(sessionId: string, seq: number): MaybePromise<readonly PromptRow[]>
  /** The seq of the prompt that is the `count`th from `until` backwards, with or without a turn. */
  findPromptBack(sessionId: string, until: number, count: number): MaybePromise<number | undefined>
}
