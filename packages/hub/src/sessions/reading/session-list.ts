// Lists sessions, newest first, by cursor or by the words of a search.
import type { SessionList, SessionSummary } from '@quayside/protocol'
import type { ListSessionsQuery } from '@quayside/protocol/schemas'
import { z } from 'zod'
import type { SessionFilter, SessionStore, SummaryRow } from '../../store/session-store.js'
import type { Store } from '../../store/store.js'
import type { Projection } from '../log/projection.js'
import { type FindHub, toSummary } from '../log/session-summary.js'
import { readCursor, toCursor, toFilter } from './session-filter.js'
import { SessionSearch } from './session-search.js'

const CRASHED = { status: 'error', metadata: JSON.stringify({ reason: 'hub_crash' }) } as const
const cursorSchema = z.tuple([z.int(), z.string()])

export type SessionListerDeps = {
  readonly store: Pick<Store, 'sessions' | 'search'>
  readonly projection: Projection
  /** A crash of the hub ended the session, but its row does not say so yet. */
  readonly isUnclosed: (id: string) => boolean
  /** Resolves when the rows of all such sessions are closed, or after a deadline. */
  readonly whenAllClosed: () => Promise<void>
  readonly findHub?: FindHub | undefined
}

export class SessionLister {
  readonly #store: SessionStore
  readonly #search: SessionSearch
  readonly #projection: Projection
  readonly #recovery: Pick<SessionListerDeps, 'isUnclosed' | 'whenAllClosed'>
  readonly #findHub: FindHub | undefined

  constructor({ store, projection, findHub, ...recovery }: SessionListerDeps) {
    this.#findHub = findHub
    this.#store = store.sessions
    this.#search = new SessionSearch(store)
    this.#projection = projection
    this.#recovery = recovery
  }

  /** With `q` a search; with `cursor` the page after the one that returned it, also when sessions were added meanwhile. */
  async list(query: ListSessionsQuery): Promise<SessionList> {
    await this.#recovery.whenAllClosed()
    const filter = toFilter(query)
    if (query.q === undefined || query.q.trim() === '') return this.#page(query, filter)
    const { hits, ...list } = await this.#search.search({ ...query, q: query.q }, filter)
    return {
      sessions: hits.map(({ row, ...hit }) => ({ ...this.#toSummary(row), ...hit })),
      ...list,
    }
  }

  async find(id: string): Promise<SessionSummary | undefined> {
    const row = await this.#store.findSummary(id)
    return row && this.#toSummary(row)
  }

  /** Leaves out unknown ids. */
  async findAll(ids: readonly string[]): Promise<readonly SessionSummary[]> {
    const rows = await this.#store.findSummaries(ids)
    return rows.map((row) => this.#toSummary(row))
  }

  /** The agents that have sessions, also those that are no longer installed. */
  async extensionIds(): Promise<readonly string[]> {
    return this.#store.extensionIds()
  }

  async #page(query: ListSessionsQuery, filter: SessionFilter): Promise<SessionList> {
    const { limit, offset, cursor } = query
    const after = cursor === undefined ? undefined : readPosition(cursor)
    // One more than the page shows whether another page follows.
    const request = { filter, after, limit: limit + 1, offset }
    const { rows, total } = await this.#store.pageWithTotal(request)
    const page = rows.slice(0, limit)
    const last = rows.length > limit ? page.at(-1) : undefined
    return {
      sessions: page.map((row) => this.#toSummary(row)),
      total,
      limit,
      offset,
      ...(last && { nextCursor: toCursor([last.createdAt, last.id]) }),
    }
  }

  #toSummary(row: SummaryRow): SessionSummary {
    const known = this.#recovery.isUnclosed(row.id) ? { ...row, ...CRASHED } : row
    return toSummary(known, (id) => this.#projection.activityOf(id), this.#findHub)
  }
}

function readPosition(cursor: string): { createdAt: number; id: string } {
  const [createdAt, id] = readCursor(cursor, cursorSchema)
  return { createdAt, id }
}
