// A batch as the parameters of one statement: sessions as JSON, columns of events, messages and checkpoints as arrays, and all long
// texts as one binary value, which needs no escaping.
import type { MessageWrite, NewEvent, SessionBatch } from '../event-store.js'
import { cleanText, type Statement } from './connections.js'
import { APPEND, COMMIT } from './event-sql.js'

/** `APPEND` has the first parameters of `COMMIT`. */
const APPEND_VALUES = 9

/** The batch is nothing but events of sessions that have begun. */
function isPlain({ created, change, messages, checkpoints, events }: SessionBatch): boolean {
  const isMore = messages.size > 0 || checkpoints.length > 0 || Object.keys(change).length > 0
  return created === undefined && events.length > 0 && !isMore
}

/** The statement for a batch, and its parameters. */
export function commitOf(
  batch: readonly SessionBatch[],
  hubId: string,
  epochOf: (sessionId: string) => number,
): { readonly statement: Statement; readonly values: unknown[] } {
  const values = batchValues(batch, hubId, epochOf)
  return batch.every(isPlain)
    ? { statement: APPEND, values: values.slice(0, APPEND_VALUES) }
    : { statement: COMMIT, values }
}

/** In the order of the parameters of `COMMIT` in event-sql.ts. */
function batchValues(
  batch: readonly SessionBatch[],
  hubId: string,
  epochOf: (sessionId: string) => number,
): unknown[] {
  const texts = new Texts()
  const events = new Columns(6)
  const messages = new Columns(11)
  const checkpoints = new Columns(5)
  const ids: string[] = []
  const items: string[] = []
  const turns: (string | null)[] = []
  for (const [index, part] of batch.entries()) {
    for (const event of part.events) events.add(eventOf(index, event, texts))
    for (const message of part.messages.values()) {
      messages.add(messageOf(index, message, texts))
      ids.push(message.id)
      items.push(message.itemId)
      turns.push(message.turnId)
    }
    for (const { seq, steps, state } of part.checkpoints)
      checkpoints.add([index, seq, steps, ...texts.add(Buffer.from(state))])
  }
  const sessions = batch.map((part, index) => sessionOf(part, index, epochOf(part.sessionId)))
  const arrays = [...messages.values(), ids, items, turns, ...checkpoints.values()]
  const json = JSON.stringify(sessions, (_key, value: unknown) =>
    typeof value === 'string' ? cleanText(value) : value,
  )
  return [json, hubId, texts.bytes(), ...events.values(), ...arrays]
}

function sessionOf(part: SessionBatch, n: number, epoch: number) {
  const { sessionId: id, created, events, change } = part
  const { state, ...columns } = change
  const [first, last] = [events[0], events.at(-1)]
  return {
    n,
    id,
    epoch,
    change: { ...columns, ...state },
    ...(created && { created }),
    ...(first && last && { expected: first.seq - 1, next: last.seq, at: last.at }),
  }
}

type Cell = number | string | boolean

/** Types are names of the protocol: letters, dots and underscores. */
function eventOf(index: number, { seq, at, type, data }: NewEvent, texts: Texts): Cell[] {
  return [index, seq, at, type, ...texts.add(data)]
}

function messageOf(index: number, message: MessageWrite, texts: Texts): Cell[] {
  const { role, content, isPartial, seq, updatedSeq, at, updatedAt, hasRow, isSearched } = message
  const flags = [isPartial, hasRow, isSearched]
  return [index, role, ...texts.add(Buffer.from(content)), seq, updatedSeq, at, updatedAt, ...flags]
}

/** Rows as one array for each column. The cells need no quotes. */
class Columns {
  readonly #columns: Cell[][]

  constructor(count: number) {
    this.#columns = Array.from({ length: count }, () => [])
  }

  add(row: readonly Cell[]): void {
    for (const [at, cell] of row.entries()) this.#columns[at]?.push(cell)
  }

  values(): string[] {
    return this.#columns.map((column) => `{${column.join()}}`)
  }
}

/** Texts one after the other; each is named by its start, counted from 1, and its length. */
class Texts {
  readonly #pieces: Uint8Array[] = []
  #length = 0

  add(bytes: Uint8Array): [number, number] {
    const start = this.#length + 1
    this.#pieces.push(bytes)
    this.#length += bytes.length
    return [start, bytes.length]
  }

  bytes(): Buffer {
    return Buffer.concat(this.#pieces, this.#length)
  }
}
