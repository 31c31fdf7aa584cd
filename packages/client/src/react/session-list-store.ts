// A list of sessions for components: read in pages, then updated by the hub's notifications.
import type { ListedSession, SessionSummary } from '@quayside/protocol'
import type { AgentChatClient, SessionFilter } from '../client.js'
import { ClientError } from '../connection/client-error.js'
import type { SessionsChange } from '../connection/session-watch.js'
import { Watched } from './watched.js'

/** The filter of a list; the list handles paging itself. */
export type SessionsFilter = Omit<SessionFilter, 'offset' | 'cursor'>

export type SessionsView = {
  /** `failed`: see `error`; sessions that were read before stay. */
  readonly is: 'loading' | 'ready' | 'failed'
  readonly error: ClientError | undefined
  /** Newest first, also with `q`. */
  readonly sessions: readonly ListedSession[]
  readonly total: number
  readonly hasMore: boolean
  /** Reads the next page. */
  readonly loadMore: () => Promise<void>
  /** Reads the list again, after a failure. */
  readonly reload: () => Promise<void>
}

type ChangedSessions = Extract<SessionsChange, { is: 'changed' }>

const PAGE = 50

export class SessionListStore {
  readonly view: Watched<SessionsView>
  readonly #client: AgentChatClient
  readonly #filter: SessionsFilter
  #rows = new Map<string, ListedSession>()
  /** Changes since the running read began: a page may be older than these. */
  #changes: ChangedSessions[] = []
  #cursor: string | undefined
  #users = 0
  #reading: AbortController | undefined
  #unwatch = () => {}

  constructor(client: AgentChatClient, filter: SessionsFilter) {
    this.#client = client
    this.#filter = filter
    const { loadMore, reload } = this
    const none = { error: undefined, sessions: [], total: 0, hasMore: false }
    this.view = new Watched<SessionsView>({ is: 'loading', ...none, loadMore, reload })
  }

  get isUsed(): boolean {
    return this.#users > 0
  }

  /** Keeps the list live while it is used. Returns a function that stops it. */
  use(): () => void {
    this.#users += 1
    if (this.#users === 1) {
      void this.reload()
      this.#unwatch = this.#client.on('sessions', (change) => this.#onChange(change))
    }
    return () => {
      this.#users -= 1
      if (this.#users > 0) return
      this.#unwatch()
      this.#reading?.abort()
    }
  }

  /** Reads as many sessions as before, so that the scroll position stays. */
  readonly reload = async (): Promise<void> => {
    const wanted = this.#rows.size
    await this.#read(async (signal) => {
      const rows = new Map<string, ListedSession>()
      let page = await this.#page(undefined, signal)
      for (;;) {
        for (const row of page.sessions) rows.set(row.id, row)
        if (page.nextCursor === undefined || rows.size >= wanted) break
        page = await this.#page(page.nextCursor, signal)
      }
      this.#rows = rows
      return page
    })
  }

  readonly loadMore = async (): Promise<void> => {
    const cursor = this.#cursor
    if (cursor === undefined) return
    await this.#read(async (signal) => {
      const page = await this.#page(cursor, signal)
      for (const row of page.sessions) this.#rows.set(row.id, row)
      return page
    })
  }

  /** One read at a time: a newer read replaces an older one. */
  async #read(
    read: (signal: AbortSignal) => Promise<{ total: number; nextCursor?: string }>,
  ): Promise<void> {
    this.#reading?.abort()
    const reading = new AbortController()
    this.#reading = reading
    this.#changes = []
    try {
      const { total, nextCursor } = await read(reading.signal)
      this.#cursor = nextCursor
      this.#show({ is: 'ready', error: undefined, total: total + this.#apply(this.#changes) })
    } catch (error) {
      if (reading.signal.aborted) return
      if (!(error instanceof ClientError)) throw error
      this.#show({ is: 'failed', error })
    } finally {
      if (this.#reading === reading) this.#reading = undefined
    }
  }

  #page(cursor: string | undefined, signal: AbortSignal) {
    const page = cursor === undefined ? {} : { cursor }
    return this.#client.sessions.list({ limit: PAGE, ...this.#filter, ...page }, { signal })
  }

  #onChange(change: SessionsChange): void {
    if (change.is === 'begun') return void this.reload()
    if (this.#reading) this.#changes.push(change)
    this.#show({ total: this.view.get().total + this.#apply([change]) })
  }

  /** The change in the number of sessions. */
  #apply(changes: readonly ChangedSessions[]): number {
    const before = this.#rows.size
    for (const { sessions, removed } of changes) {
      for (const id of removed) this.#rows.delete(id)
      for (const session of sessions) this.#update(session)
    }
    return this.#rows.size - before
  }

  #update(session: SessionSummary): void {
    const known = this.#rows.get(session.id)
    if (known && known.lastSeq > session.lastSeq) return
    if (!isWanted(session, this.#filter)) return void this.#rows.delete(session.id)
    // Only the hub knows whether a changed session matches a search.
    if (!known && this.#filter.q !== undefined) return
    // The notification has the whole session; only what the search found comes from the old row.
    const { excerpt, foundSeq } = known ?? {}
    this.#rows.set(session.id, {
      ...session,
      ...(excerpt && { excerpt }),
      ...(foundSeq && { foundSeq }),
    })
  }

  #show(changes: Partial<SessionsView>): void {
    const rows = [...this.#rows.values()]
    const sessions = this.#filter.q === undefined ? rows.toSorted(newestFirst) : rows
    const hasMore = this.#cursor !== undefined
    this.view.set({ ...this.view.get(), ...changes, sessions, hasMore })
  }
}

function isWanted(
  session: SessionSummary,
  { repoId, extensionId, status, archived = false }: SessionsFilter,
): boolean {
  if (archived !== 'any' && session.archived !== archived) return false
  if (repoId !== undefined && session.repoId !== repoId) return false
  if (extensionId !== undefined && session.extensionId !== extensionId) return false
  return status === undefined || status.includes(session.status)
}

function newestFirst(one: SessionSummary, other: SessionSummary): number {
  return Date.parse(other.createdAt) - Date.parse(one.createdAt) || (one.id < other.id ? 1 : -1)
}
