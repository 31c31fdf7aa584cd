// Moves all rows and media files from one engine to another in batches, then reads both sides again and compares them row by row.
import { createHash, type Hash } from 'node:crypto'
import {
  MOVED_TABLES,
  MoveError,
  type MovedRow,
  type MovedStore,
  type MovedTable,
} from '../moved-tables.js'

export type MoveOptions = {
  readonly from: MovedStore
  readonly to: MovedStore
  /** Replaces characters that the target cannot store. */
  readonly clean?: (text: string) => string
  /** Called for each log that was compared. */
  readonly onLog?: (log: LogProof) => void
}

export type LogProof = {
  readonly sessionId: string
  readonly events: number
  readonly sha256: string
}
export type TableProof = { readonly title: string; readonly rows: number; readonly sha256: string }
export type MoveProof = {
  readonly tables: readonly TableProof[]
  readonly files: { readonly count: number; readonly bytes: number }
  /** Hashes of files that are gone from the source. Their uses are left out. */
  readonly missing: readonly string[]
}

export async function moveAll(options: MoveOptions): Promise<MoveProof> {
  const { from, to } = options
  const copied = await copyFiles(from, to)
  const isMoved = rowFilter(copied.missing)
  for (const table of MOVED_TABLES)
    for await (const rows of from.rows(table)) await to.insert(table, rows.filter(isMoved(table)))
  const key = await from.readPushKey()
  if (key !== undefined) await to.writePushKey(key)
  await to.finish()
  const tables: TableProof[] = []
  for (const table of MOVED_TABLES) {
    const source = filtered(from.rows(table), isMoved(table))
    tables.push(await prove(table, { source, target: flat(to.rows(table)) }, options))
  }
  await proveFiles(from, to, copied.missing)
  return { tables, files: { count: copied.count, bytes: copied.bytes }, missing: copied.missing }
}

async function copyFiles(from: MovedStore, to: MovedStore) {
  const missing: string[] = []
  let count = 0
  let bytes = 0
  for await (const hashes of from.files())
    for (const sha256 of hashes) {
      const file = await from.readFile(sha256)
      if (file === undefined || sha256Of(file) !== sha256) missing.push(sha256)
      else {
        await to.insertFile(sha256, file)
        count += 1
        bytes += file.length
      }
    }
  return { missing, count, bytes }
}

function rowFilter(missing: readonly string[]): (table: MovedTable) => (row: MovedRow) => boolean {
  const gone = new Set(missing)
  return ({ name, columns }) => {
    if (name !== 'Media' || gone.size === 0) return () => true
    const column = Object.keys(columns).indexOf('sha256')
    return (row) => !gone.has(String(row[column]))
  }
}

type Sides = { readonly source: AsyncIterator<MovedRow>; readonly target: AsyncIterator<MovedRow> }

async function prove(
  table: MovedTable,
  { source, target }: Sides,
  { clean = (text) => text, onLog }: MoveOptions,
): Promise<TableProof> {
  const log = table.name === 'AgentEvent' && onLog ? new LogHasher(onLog) : undefined
  const all = createHash('sha256')
  let rows = 0
  for (;;) {
    const [one, other] = [await source.next(), await target.next()]
    if (one.done === true && other.done === true) break
    const cleaned =
      one.done === true ? undefined : one.value.map((value) => cleanValue(value, clean))
    const text = cleaned && JSON.stringify(cleaned)
    const found = other.done === true ? undefined : JSON.stringify(other.value)
    if (text === undefined || text !== found)
      throw new MoveError(
        describeDifference(table, cleaned, other.done === true ? undefined : other.value),
      )
    all.update(`${text}\n`)
    log?.add(String(cleaned?.[0]), text)
    rows += 1
  }
  log?.end()
  return { title: table.title, rows, sha256: all.digest('hex') }
}

/** Hashes each log by itself: its events follow each other. */
class LogHasher {
  readonly #onLog: (log: LogProof) => void
  #current: { readonly sessionId: string; readonly hash: Hash; events: number } | undefined

  constructor(onLog: (log: LogProof) => void) {
    this.#onLog = onLog
  }

  add(sessionId: string, text: string): void {
    if (this.#current?.sessionId !== sessionId) {
      this.end()
      this.#current = { sessionId, hash: createHash('sha256'), events: 0 }
    }
    this.#current.hash.update(`${text}\n`)
    this.#current.events += 1
  }

  end(): void {
    if (this.#current === undefined) return
    const { sessionId, hash, events } = this.#current
    this.#current = undefined
    this.#onLog({ sessionId, events, sha256: hash.digest('hex') })
  }
}

async function proveFiles(
  from: MovedStore,
  to: MovedStore,
  missing: readonly string[],
): Promise<void> {
  const gone = new Set(missing)
  for await (const hashes of from.files())
    for (const sha256 of hashes) {
      if (gone.has(sha256)) continue
      const file = await to.readFile(sha256)
      if (file === undefined || sha256Of(file) !== sha256)
        throw new MoveError(`The media file ${sha256} was not stored as it was read.`)
    }
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function cleanValue(value: MovedRow[number], clean: (text: string) => string): MovedRow[number] {
  return typeof value === 'string' ? clean(value) : value
}

/** Names no values: they are people's conversations and the hashes of secrets. */
function describeDifference(
  { title, columns, order }: MovedTable,
  one: MovedRow | undefined,
  other: MovedRow | undefined,
): string {
  const names = Object.keys(columns)
  const keyOf = (row: MovedRow) =>
    order.map((column) => `${column} ${row[names.indexOf(column)]}`).join(', ')
  const row = one ?? other ?? []
  const differs = names.filter((_, index) => one?.[index] !== other?.[index])
  const what = one && other ? `differ in ${differs.join(', ')}` : 'are not the same number'
  return `The ${title} of both sides ${what}, at ${keyOf(row)}. Nothing was moved.`
}

async function* flat(batches: AsyncIterable<readonly MovedRow[]>): AsyncGenerator<MovedRow> {
  for await (const rows of batches) yield* rows
}

async function* filtered(
  batches: AsyncIterable<readonly MovedRow[]>,
  isMoved: (row: MovedRow) => boolean,
): AsyncGenerator<MovedRow> {
  for await (const rows of batches) yield* rows.filter(isMoved)
}
