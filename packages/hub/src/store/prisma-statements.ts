// Runs Prisma's SQL with cached prepared statements and converts values both ways:
// a DateTime is an ISO string for Prisma and an INTEGER of milliseconds in the file.

import type { StatementSyncInstance } from '@photostructure/sqlite'
import {
  ColumnTypeEnum,
  DriverAdapterError,
  type ArgType,
  type ColumnType,
  type SqlQuery,
  type SqlResultSet,
} from '@prisma/driver-adapter-utils'
import type { Database } from './database.js'

/** What the driver returns when integers are read as BigInt. */
type SqliteValue = string | number | bigint | Uint8Array | null

interface CachedStatement {
  readonly statement: StatementSyncInstance
  readonly columnNames: readonly string[]
  /** Undefined for an expression: its values decide. */
  readonly declaredTypes: readonly (ColumnType | undefined)[]
}

const CACHED_STATEMENTS = 200

export class PrismaStatements {
  readonly #db: Database
  /** In order of last use. */
  readonly #cache = new Map<string, CachedStatement>()

  constructor(db: Database) {
    this.#db = db
  }

  query(query: SqlQuery): SqlResultSet {
    const { statement, columnNames, declaredTypes } = this.#prepare(query.sql)
    const rows: SqliteValue[][] = statement.all(...toSqliteValues(query))
    const columnTypes = declaredTypes.map((type, column) => settleType(type, rows, column))
    return {
      columnNames: [...columnNames],
      columnTypes,
      rows: rows.map((row) => row.map((value, column) => toPrisma(value, columnTypes[column]))),
    }
  }

  execute(query: SqlQuery): number {
    const { statement } = this.#prepare(query.sql)
    // The driver's types forget that a statement which reads BigInts also counts in them.
    const result: { changes: number | bigint } = statement.run(...toSqliteValues(query))
    return Number(result.changes)
  }

  clear(): void {
    this.#cache.clear()
  }

  #prepare(sql: string): CachedStatement {
    const cached = this.#cache.get(sql) ?? this.#compile(sql)
    this.#cache.delete(sql)
    this.#cache.set(sql, cached)
    if (this.#cache.size > CACHED_STATEMENTS) {
      const [oldest] = this.#cache.keys()
      if (oldest !== undefined) this.#cache.delete(oldest)
    }
    return cached
  }

  #compile(sql: string): CachedStatement {
    const statement = this.#db.prepare(sql)
    statement.setReturnArrays(true)
    // A number above 2^53 would fail after an INSERT … RETURNING has already run.
    statement.setReadBigInts(true)
    const columns = statement.columns()
    return {
      statement,
      columnNames: columns.map((column) => column.name),
      declaredTypes: columns.map((column) => DECLARED_TYPES[(column.type ?? '').toUpperCase()]),
    }
  }
}

/** The types that migrations may use. */
const DECLARED_TYPES: Readonly<Record<string, ColumnType>> = {
  TEXT: ColumnTypeEnum.Text,
  INTEGER: ColumnTypeEnum.Int32,
  BIGINT: ColumnTypeEnum.Int64,
  REAL: ColumnTypeEnum.Double,
  BOOLEAN: ColumnTypeEnum.Boolean,
  DATETIME: ColumnTypeEnum.DateTime,
  BLOB: ColumnTypeEnum.Bytes,
}

function settleType(
  declared: ColumnType | undefined,
  rows: readonly SqliteValue[][],
  column: number,
): ColumnType {
  if (declared === ColumnTypeEnum.Int32) {
    const isWide = rows.some((row) => !isInt32(row[column]))
    return isWide ? ColumnTypeEnum.Int64 : ColumnTypeEnum.Int32
  }
  return declared ?? typeOfValue(rows.find((row) => row[column] !== null)?.[column])
}

function isInt32(value: SqliteValue | undefined): boolean {
  return typeof value !== 'bigint' || BigInt.asIntN(32, value) === value
}

function typeOfValue(value: SqliteValue | undefined): ColumnType {
  if (typeof value === 'string') return ColumnTypeEnum.Text
  if (value instanceof Uint8Array) return ColumnTypeEnum.Bytes
  if (typeof value === 'bigint' && !isSafe(value)) return ColumnTypeEnum.Int64
  return ColumnTypeEnum.UnknownNumber
}

function isSafe(value: bigint): boolean {
  return BigInt(Number(value)) === value && Number.isSafeInteger(Number(value))
}

function toPrisma(value: SqliteValue, type: ColumnType | undefined): unknown {
  if (typeof value !== 'bigint') return value
  if (type === ColumnTypeEnum.DateTime) return new Date(Number(value)).toISOString()
  if (type === ColumnTypeEnum.Boolean) return value !== 0n
  if (type === ColumnTypeEnum.Int64 || !isSafe(value)) return value.toString()
  return Number(value)
}

function toSqliteValues(query: SqlQuery): SqliteValue[] {
  return query.args.map((arg, index) => toSqlite(arg, query.argTypes[index]))
}

function toSqlite(arg: unknown, type: ArgType | undefined): SqliteValue {
  if (arg === null || arg === undefined) return null
  if (arg instanceof Date || type?.scalarType === 'datetime') return toMilliseconds(arg)
  if (typeof arg === 'boolean') return arg ? 1n : 0n
  if (typeof arg === 'string') return fromText(arg, type)
  if (typeof arg === 'number' || typeof arg === 'bigint' || arg instanceof Uint8Array) return arg
  throw invalid(`${typeof arg} is not a value that SQLite can store`)
}

/** Prisma writes into text what JSON cannot hold. */
function fromText(arg: string, type: ArgType | undefined): SqliteValue {
  switch (type?.scalarType) {
    case 'int':
    case 'bigint':
      return BigInt(arg)
    case 'float':
    case 'decimal':
      return Number(arg)
    case 'bytes':
      return Buffer.from(arg, 'base64')
    default:
      return arg
  }
}

function toMilliseconds(arg: unknown): bigint {
  const date = arg instanceof Date ? arg : new Date(typeof arg === 'number' ? arg : String(arg))
  if (Number.isNaN(date.getTime())) throw invalid(`${String(arg)} is not a date`)
  return BigInt(date.getTime())
}

function invalid(message: string): DriverAdapterError {
  return new DriverAdapterError({ kind: 'InvalidInputValue', message })
}
