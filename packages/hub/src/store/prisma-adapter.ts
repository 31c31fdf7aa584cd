// Prisma's driver adapter over the hub's one SQLite connection. Only reader.ts makes it.
// Calls of one statement run at once and alone; a mutex keeps them out of a transaction that Prisma has open.

import {
  DriverAdapterError,
  type ConnectionInfo,
  type IsolationLevel,
  type SqlDriverAdapter,
  type SqlDriverAdapterFactory,
  type SqlQuery,
  type SqlResultSet,
  type Transaction,
} from '@prisma/driver-adapter-utils'
import type { Database } from './database.js'
import { toDriverError } from './prisma-errors.js'
import { PrismaStatements } from './prisma-statements.js'

/**
 * Connects Prisma to a connection that is already open and stays open.
 *
 * The hub's writer uses the same connection with plain BEGIN and COMMIT, without awaiting between them, so no read of
 * Prisma falls inside. The other way round the mutex cannot help: while a Prisma transaction is open (`$transaction`, nested
 * or multi-row writes) the writer's BEGIN fails. Therefore the hub reads with Prisma and writes without it.
 */
export class PrismaSqliteAdapterFactory implements SqlDriverAdapterFactory {
  readonly provider = 'sqlite'
  readonly adapterName = ADAPTER_NAME
  readonly #db: Database
  readonly #mutex = new Mutex()

  constructor(db: Database) {
    this.#db = db
  }

  async connect(): Promise<SqlDriverAdapter> {
    return new PrismaSqliteAdapter(this.#db, this.#mutex)
  }
}

const ADAPTER_NAME = 'quayside-sqlite'
/** SQLITE_MAX_VARIABLE_NUMBER of the library; Prisma splits longer lists. */
const MAX_BIND_VALUES = 32_766

class PrismaSqliteAdapter implements SqlDriverAdapter {
  readonly provider = 'sqlite'
  readonly adapterName = ADAPTER_NAME
  readonly #db: Database
  readonly #mutex: Mutex
  readonly #statements: PrismaStatements

  constructor(db: Database, mutex: Mutex) {
    this.#db = db
    this.#mutex = mutex
    this.#statements = new PrismaStatements(db)
  }

  queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    return this.#alone(() => this.#statements.query(query))
  }

  executeRaw(query: SqlQuery): Promise<number> {
    return this.#alone(() => this.#statements.execute(query))
  }

  executeScript(script: string): Promise<void> {
    return this.#alone(() => this.#db.exec(script))
  }

  async startTransaction(isolationLevel?: IsolationLevel): Promise<Transaction> {
    if (isolationLevel !== undefined && isolationLevel !== 'SERIALIZABLE') {
      throw new DriverAdapterError({ kind: 'InvalidIsolationLevel', level: isolationLevel })
    }
    const release = await this.#mutex.acquire()
    try {
      this.#db.exec('BEGIN IMMEDIATE')
    } catch (error) {
      release()
      throw toDriverError(error)
    }
    return new PrismaTransaction(this.#db, this.#statements, release)
  }

  getConnectionInfo(): ConnectionInfo {
    return { maxBindValues: MAX_BIND_VALUES, supportsRelationJoins: false }
  }

  /** The connection is the hub's, so only the statements go. */
  async dispose(): Promise<void> {
    this.#statements.clear()
  }

  async #alone<Result>(work: () => Result): Promise<Result> {
    const release = await this.#mutex.acquire()
    try {
      return work()
    } catch (error) {
      throw toDriverError(error)
    } finally {
      release()
    }
  }
}

class PrismaTransaction implements Transaction {
  readonly provider = 'sqlite'
  readonly adapterName = ADAPTER_NAME
  /** "Phantom": Prisma leaves COMMIT and ROLLBACK to `commit` and `rollback`, so that each ends with the mutex free. */
  readonly options = { usePhantomQuery: true }
  readonly #db: Database
  readonly #statements: PrismaStatements
  readonly #release: () => void

  constructor(db: Database, statements: PrismaStatements, release: () => void) {
    this.#db = db
    this.#statements = statements
    this.#release = release
  }

  async queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    return mapErrors(() => this.#statements.query(query))
  }

  async executeRaw(query: SqlQuery): Promise<number> {
    return mapErrors(() => this.#statements.execute(query))
  }

  async commit(): Promise<void> {
    this.#end('COMMIT')
  }

  async rollback(): Promise<void> {
    this.#end('ROLLBACK')
  }

  #end(sql: 'COMMIT' | 'ROLLBACK'): void {
    try {
      // SQLite may have rolled back by itself (a full disk); a second ROLLBACK would be an error.
      if (sql === 'COMMIT' || this.#db.isTransaction) mapErrors(() => this.#db.exec(sql))
    } finally {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
      this.#release()
    }
  }
}

function mapErrors<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw toDriverError(error)
  }
}

/** First come, first served. */
class Mutex {
  #last: Promise<void> = Promise.resolve()

  async acquire(): Promise<() => void> {
    const before = this.#last
    let release = () => {}
    this.#last = new Promise((resolve) => {
      release = resolve
    })
    await before
    return release
  }
}
