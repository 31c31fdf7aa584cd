// Hints between the hubs of a database, by LISTEN and NOTIFY on a connection of their own: these sessions have new events. They are
// never part of a commit. While one notification is under way, others gather. A lost or doubled hint changes nothing.
import type { Client } from 'pg'
import type { Hint } from '../cluster-store.js'
import type { Connections } from './connections.js'

const CHANNEL = 'quayside'
const RETRY_MS = 1_000
/** PostgreSQL takes less than 8,000 bytes; an entry has at most 64. */
const MAX_ENTRIES = 100

export class Hints {
  readonly #db: Connections
  readonly #hubId: () => string
  readonly #listeners = new Set<(hints: readonly Hint[]) => void>()
  #waiting = new Map<string, number>()
  #client: Promise<Client | undefined> | undefined
  #retry: NodeJS.Timeout | undefined
  #isSending = false
  #isClosed = false

  constructor(db: Connections, hubId: () => string) {
    this.#db = db
    this.#hubId = hubId
  }

  /** Listens from the first listener on. */
  onHints(listener: (hints: readonly Hint[]) => void): () => void {
    this.#listeners.add(listener)
    void this.#open()
    return () => this.#listeners.delete(listener)
  }

  send({ sessionId, lastSeq }: Hint): void {
    this.#waiting.set(sessionId, lastSeq)
    if (this.#isSending) return
    this.#isSending = true
    void this.#sendAll()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#retry)
    await (await this.#client)?.end().catch(() => undefined)
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.size > 0 && !this.#isClosed) {
      const entries = [...this.#waiting].slice(0, MAX_ENTRIES)
      for (const [sessionId] of entries) this.#waiting.delete(sessionId)
      const client = await this.#open()
      const text = [this.#hubId(), ...entries.map((entry) => entry.join(':'))].join(' ')
      // Without a connection the other hubs find out when they look.
      if (client) await client.query(SEND, [CHANNEL, text]).catch(() => undefined)
      else this.#waiting.clear()
    }
    this.#isSending = false
  }

  #open(): Promise<Client | undefined> {
    this.#client ??= this.#connect()
    return this.#client
  }

  async #connect(): Promise<Client | undefined> {
    try {
      const client = await this.#db.connectAlone()
      client.on('notification', ({ payload = '' }) => this.#receive(payload))
      client.on('error', () => undefined)
      client.once('end', () => this.#openLater())
      await client.query(`SET synchronous_commit = off; LISTEN ${CHANNEL}`)
      return client
    } catch {
      this.#openLater()
      return undefined
    }
  }

  #openLater(): void {
    if (this.#isClosed) return
    this.#client = Promise.resolve(undefined)
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => {
      this.#client = undefined
      void this.#open()
    }, RETRY_MS).unref()
  }

  #receive(payload: string): void {
    const [hubId, ...entries] = payload.split(' ')
    if (hubId === this.#hubId()) return
    const hints = entries.map((entry) => {
      const at = entry.lastIndexOf(':')
      return { sessionId: entry.slice(0, at), lastSeq: Number(entry.slice(at + 1)) }
    })
    for (const listener of this.#listeners) listener(hints)
  }
}

const SEND = 'SELECT pg_notify($1, $2)'
