// The connections to PostgreSQL: one for writing, whose statements run in the order they are sent, and a pool for reading.
// A connection that is lost is opened again at its next use.
import { type Client, type ClientBase, type ClientConfig, DatabaseError, Pool, types } from 'pg'
import { HubError } from '../../errors.js'
import { Servers } from './servers.js'

/** PostgreSQL prepares it once for each connection, by its name. Without a name it is planned anew, for its values. */
export type Statement = { readonly name?: string; readonly text: string }
export type Values = readonly unknown[]

const CONNECT_MS = 5_000
const READERS = 4
/** A connection that does not answer for this long is closed: a network may lose a connection without an error. */
const ANSWER_MS = 20_000
const INT8 = 20
/** Reads are short and find most pages in memory: starting workers takes longer, and so does a scan that avoids reading here and there. */
const READER_SETTINGS = 'SET max_parallel_workers_per_gather = 0; SET random_page_cost = 1.1'

export class Connections {
  readonly #servers: Servers
  readonly #options: ClientConfig
  readonly #readers: Pool
  readonly #answerMs: number
  #writer: Promise<Client> | undefined

  constructor(url: string, { answerMs = ANSWER_MS }: { readonly answerMs?: number } = {}) {
    this.#servers = new Servers(url)
    this.#answerMs = answerMs
    this.#options = {
      connectionString: this.#servers.current,
      application_name: 'quayside',
      keepAlive: true,
      connectionTimeoutMillis: Math.min(CONNECT_MS, answerMs),
      // Times and counts are below 2 ** 53.
      types: {
        getTypeParser: (oid: number, format?: 'text' | 'binary') =>
          oid === INT8 ? Number : types.getTypeParser(oid, format),
      },
    }
    const settings = { text: READER_SETTINGS, query_timeout: answerMs }
    this.#readers = new Pool({
      ...this.#options,
      max: READERS,
      Client: this.#servers.Client,
      verify: (client, done) => client.query(settings, (error) => done(error)),
    })
    // The pool drops a connection that is lost. A statement that waits on it rejects by itself.
    this.#readers.on('error', () => undefined)
    this.#readers.on('connect', (client) => client.on('error', () => undefined))
  }

  /** Needed once when the address may name several servers: other connections try one each. */
  async findServer(): Promise<void> {
    await answered(this.#servers.find(this.#options))
  }

  async read<Row>(statement: Statement, values: Values): Promise<Row[]> {
    return (await answered(this.#readers.query(this.#queryOf(statement, values)))).rows as Row[]
  }

  async readOne<Row>(statement: Statement, values: Values): Promise<Row | undefined> {
    return (await this.read<Row>(statement, values))[0]
  }

  async write<Row>(statement: Statement, values: Values): Promise<Row[]> {
    const writer = await answered(this.#openWriter())
    try {
      return (await answered(writer.query(this.#queryOf(statement, values)))).rows as Row[]
    } catch (error) {
      // The driver may not have noticed the loss yet, or the server has become a standby.
      if (isConnectionLoss(error)) this.#giveUp(writer)
      throw error
    }
  }

  /** Runs `work` on a connection of its own, then commits. Stores nothing when `work` rejects. */
  async inTransaction<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
    const client = await answered(this.#readers.connect())
    let problem: unknown
    try {
      await client.query('BEGIN')
      const result = await work(client)
      await client.query('COMMIT')
      return result
    } catch (error) {
      problem = error
      await client.query('ROLLBACK').catch(() => undefined)
      throw error
    } finally {
      client.release(problem !== undefined && isConnectionLoss(problem))
    }
  }

  /** For a caller that ends it. */
  async connectAlone(): Promise<Client> {
    const client = new this.#servers.Client(this.#options)
    // The server may end it before the caller listens.
    client.on('error', () => undefined)
    await client.connect()
    return client
  }

  async close(): Promise<void> {
    const writer = await this.#writer?.catch(() => undefined)
    await Promise.allSettled([writer?.end(), this.#readers.end()])
  }

  /** `query_timeout` is missing in the driver's types. */
  #queryOf(statement: Statement, values: Values) {
    return { ...statement, values: values.map(cleanValue), query_timeout: this.#answerMs }
  }

  #openWriter(): Promise<Client> {
    this.#writer ??= this.#connect()
    return this.#writer
  }

  #giveUp(client: Client): void {
    // 'end' makes `#connect` forget it, so that the next statement opens another one.
    client.end().catch(() => undefined)
    client.emit('end')
  }

  async #connect(): Promise<Client> {
    const client = new this.#servers.Client(this.#options)
    let isForgotten = false
    const forget = (): void => {
      if (!isForgotten) this.#writer = undefined
      isForgotten = true
    }
    client.on('error', forget)
    client.on('end', forget)
    try {
      await client.connect()
      return client
    } catch (error) {
      forget()
      throw error
    }
  }
}

/** Reports a lost connection as an error that clients know. */
async function answered<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw isConnectionLoss(error)
      ? new HubError('database_unavailable', {}, { cause: error })
      : error
  }
}

/** Ids from clients may be any text. */
function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? cleanText(value) : value
  return Array.isArray(value) ? value.map(cleanValue) : value
}

/**
 * The connection is lost, the server is stopping, has no connection left, or is a read-only standby. A statement that was sent may have been
 * stored, and another connection may work.
 */
export function isConnectionLoss(error: unknown): boolean {
  return !(error instanceof DatabaseError) || /^(08|57P|53300|25006)/.test(error.code ?? '')
}

/** The code of an error that the server reports. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined
}

/** PostgreSQL stores no NUL and no half of a surrogate pair. JSON that is stored as text has both as escapes, so only plain texts need this. */
export function cleanText(text: string): string {
  return text.replaceAll(/\0|\p{Cs}/gu, '\uFFFD')
}
