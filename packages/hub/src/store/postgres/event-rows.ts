// Events in PostgreSQL, and the session and message rows that follow from them: one statement for each batch.
import { setTimeout as sleep } from 'node:timers/promises'
import { NotOwnedError } from '../storage-error.js'
import type { EncodedEvent, EventStore, SessionBatch, TurnRange } from '../event-store.js'
import { commitOf } from './batch-values.js'
import { type Connections, isConnectionLoss, sqlState } from './connections.js'
import { FIND_STORED, LAST_SEQ, LAST_SEQ_UNTIL, TURNS } from './event-sql.js'
import { PageReads } from './page-reads.js'
import type { MediaRows } from './media-rows.js'
import type { Ownership } from './ownership.js'
import type { SearchIndex } from './search/search-index.js'

/** Raised by `requireAll` of the schema. */
const NOT_OWNED = 'QS001'
/** A batch is sent again for this long while the connection is lost. */
const RETRY_MS = 9_000
const RETRY_PAUSE_MS = 100

const MAX_SEQ = 2 ** 31 - 1

type TurnMark = { readonly turnId: string; readonly seq: number }
type WantedTurns = {
  readonly type: 'turn.started' | 'turn.ended'
  readonly turnId?: string
  readonly after?: number
  readonly until?: number | undefined
}

export type EventRowsDeps = {
  readonly db: Connections
  readonly ownership: Ownership
  readonly search: SearchIndex
  readonly media: MediaRows
}

export class EventRows implements EventStore {
  readonly #db: Connections
  readonly #ownership: Ownership
  readonly #search: SearchIndex
  readonly #media: MediaRows
  readonly #pages: PageReads

  constructor({ db, ownership, search, media }: EventRowsDeps) {
    this.#db = db
    this.#ownership = ownership
    this.#search = search
    this.#media = media
    this.#pages = new PageReads(db)
  }

  get hubId(): string {
    return this.#ownership.hubId
  }

  isOwn(sessionId: string): boolean {
    return this.#ownership.owns(sessionId)
  }

  isTaken(sessionId: string): Promise<boolean> {
    return this.#ownership.isTaken(sessionId)
  }

  async commit(batch: readonly SessionBatch[]): Promise<void> {
    const { hubId } = this.#ownership
    const known = batch.filter(({ created }) => created === undefined)
    const ended = known.filter(({ change }) => change.state && change.state.status !== 'active')
    await this.#untilConnected(async () => {
      await this.#media.flush()
      this.#ownership.requireLease(hubId)
      await this.#ownership.claim(known.map(idOf), ended.map(idOf))
    })
    await this.#store(batch)
    for (const { sessionId, created } of batch) if (created) this.#ownership.begin(sessionId, hubId)
    this.#search.followLater()
  }

  /**
   * Sends a batch again when its answer was lost. The batch is stored once: if the first attempt was stored, the second one is refused,
   * because the session's last event has changed, and `#isStored` finds that this hub stored it.
   */
  async #store(batch: readonly SessionBatch[]): Promise<void> {
    const { hubId } = this.#ownership
    const { statement, values } = commitOf(batch, hubId, (id) => this.#ownership.epochOf(id))
    let isRepeated = false
    await this.#untilConnected(async () => {
      try {
        await this.#db.write(statement, values)
      } catch (error) {
        if (isConnectionLoss(error)) isRepeated = true
        else if (!isRepeated || !(await this.#isStored(batch))) throw this.#explain(error, batch)
        else return
        throw error
      }
    })
  }

  async #isStored(batch: readonly SessionBatch[]): Promise<boolean> {
    const withEvents = batch.filter(({ events }) => events.length > 0)
    const ids = withEvents.map(({ sessionId }) => sessionId)
    const epochs = withEvents.map(({ sessionId: id, created }) =>
      created ? 1 : this.#ownership.epochOf(id),
    )
    const seqs = withEvents.map(({ events }) => events.at(-1)?.seq)
    const { hubId } = this.#ownership
    const stored = await this.#db.write(FIND_STORED, [hubId, ids, epochs, seqs])
    return stored.length === withEvents.length
  }

  #explain(error: unknown, batch: readonly SessionBatch[]): unknown {
    if (sqlState(error) !== NOT_OWNED) return error
    // The log commits the sessions of a batch one by one when they cannot be stored together.
    const fork = batch.length === 1 ? batch[0]?.created?.forkedFrom : undefined
    if (fork) return new Error(`session ${fork.sessionId} is being removed`, { cause: error })
    // The next batch asks for the owner again.
    for (const { sessionId } of batch) this.#ownership.forget(sessionId)
    const message = 'Another hub owns this session, or has stored events of it.'
    return new NotOwnedError(message, { cause: error })
  }

  /** Gives up when the lease has lapsed: another hub may have the sessions then. */
  async #untilConnected(work: () => Promise<void>): Promise<void> {
    const giveUpAt = performance.now() + RETRY_MS
    const { hubId } = this.#ownership
    for (;;) {
      this.#ownership.requireLease(hubId)
      try {
        return await work()
      } catch (error) {
        if (!isConnectionLoss(error) || error instanceof NotOwnedError) throw error
        if (performance.now() > giveUpAt) throw error
        await sleep(RETRY_PAUSE_MS)
      }
    }
  }

  read(sessionId: string, after: number, limit: number): Promise<EncodedEvent[]> {
    // A number that the column cannot hold would fail the reads of other sessions, too.
    const from = Math.max(0, Math.min(after, MAX_SEQ))
    return this.#pages.read({ sessionId, after: from, limit })
  }

  async lastSeq(sessionId: string): Promise<number> {
    return (await this.#db.readOne<{ seq: number }>(LAST_SEQ, [sessionId]))?.seq ?? 0
  }

  async lastSeqUntil(sessionId: string, at: number): Promise<number> {
    const row = await this.#db.readOne<{ seq: number | null }>(LAST_SEQ_UNTIL, [sessionId, at])
    return row?.seq ?? 0
  }

  async findTurn(sessionId: string, turnId: string): Promise<TurnRange | undefined> {
    const started = await this.#turns(sessionId, { type: 'turn.started', turnId })
    return this.#rangeOf(sessionId, started[0])
  }

  async findLastTurn(sessionId: string, until?: number): Promise<TurnRange | undefined> {
    const started = await this.#turns(sessionId, { type: 'turn.started', until })
    return this.#rangeOf(sessionId, started[0])
  }

  async #rangeOf(sessionId: string, start: TurnMark | undefined): Promise<TurnRange | undefined> {
    if (start === undefined) return undefined
    const { turnId, seq: after } = start
    const ended = await this.#turns(sessionId, { type: 'turn.ended', turnId, after })
    const endedSeq = ended.at(-1)?.seq
    return { turnId, startedSeq: after, ...(endedSeq !== undefined && { endedSeq }) }
  }

  /** Latest first. */
  async #turns(sessionId: string, { type, turnId, after = 0, until = MAX_SEQ }: WantedTurns) {
    const text = turnId === undefined ? '' : JSON.stringify(turnId)
    const values = [sessionId, type, after, Math.min(until, MAX_SEQ), text]
    const rows = await this.#db.read<{ seq: number; data: string }>(TURNS, values)
    const marks = rows.map(({ seq, data }) => ({ ...(JSON.parse(data) as TurnMark), seq }))
    return marks.filter((mark) => turnId === undefined || mark.turnId === turnId)
  }
}

function idOf({ sessionId }: SessionBatch): string {
  return sessionId
}
