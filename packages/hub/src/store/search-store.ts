// Port: full-text search over titles, prompts and answers. The index may follow `EventStore.commit` later; a search waits for it, up
// to a limit.
import type { MaybePromise } from './maybe-promise.js'
import type { SessionFilter } from './session-store.js'

/** `prefix`: the last word may be the beginning of a word. */
export type SearchMode = 'exact' | 'prefix'

export type SearchRequest = {
  /** All phrases must occur, in any order; the words of a phrase follow each other. Never empty. */
  readonly phrases: readonly (readonly string[])[]
  /** The last word may also be the beginning of a word. */
  readonly mayBePrefix: boolean
  /** Letters of the last word, without their marks. */
  readonly lastWordChars: number
  readonly filter: SessionFilter
  /** At most so many hits. */
  readonly limit: number
  /** The end of the previous page of the same search, with its results that hold for all pages. */
  readonly next?: SearchNext | undefined
}

export type SearchNext = {
  /** The session number of the last hit. */
  readonly below: number
  readonly mode: SearchMode
  readonly total: number
}

export type SearchHit = {
  /** The session. */
  readonly id: string
  /** Sessions are numbered in the order of their creation. */
  readonly number: number
  /** The event of the message that matches; 0 for the title. */
  readonly seq: number
}

export type SearchResult = {
  /** Newest session first, one hit for each session. */
  readonly hits: readonly SearchHit[]
  /** Sessions; `MAX_TOTAL + 1` stands for any number above `MAX_TOTAL`. */
  readonly total: number
  readonly mode: SearchMode
}

export const MAX_TOTAL = 1_000
export const MAX_SESSION_NUMBER = 2 ** 31 - 1

export type SearchStore = {
  search(request: SearchRequest): MaybePromise<SearchResult>
  /** The beginning of each text that was found, in the order of the hits. */
  texts(hits: readonly SearchHit[]): MaybePromise<readonly string[]>
}
