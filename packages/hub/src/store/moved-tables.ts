// Port: the tables that `quayside db import` and `db export` move between two engines, and how an engine reads and writes their rows.
// Derived data, such as the search index and counts, is not moved but built again.
import type { MaybePromise } from './maybe-promise.js'

/** A move was refused, or its two sides differ. The message names the reason and the next step. Nothing was moved. */
export class MoveError extends Error {
  override name = 'MoveError'
}

export type ColumnKind = 'text' | 'integer' | 'boolean'
export type MovedValue = string | number | boolean | null
/** In the order of the table's columns. */
export type MovedRow = readonly MovedValue[]

export type MovedTable = {
  readonly name:
    | 'Repo'
    | 'AgentSession'
    | 'AgentEvent'
    | 'AgentMessage'
    | 'AgentCheckpoint'
    | 'Media'
    | 'Credential'
  /** For people. */
  readonly title: string
  readonly columns: Readonly<Record<string, ColumnKind>>
  /** The columns that both engines sort by, in the order of an index. */
  readonly order: readonly string[]
}

/** Rows that others refer to come first, also among sessions: a fork is younger than the session that was forked. */
export const MOVED_TABLES: readonly MovedTable[] = [
  {
    name: 'Repo',
    title: 'repositories',
    columns: {
      id: 'text',
      path: 'text',
      name: 'text',
      createdAt: 'integer',
      lastSeenAt: 'integer',
      missing: 'boolean',
      trustedHash: 'text',
      settings: 'text',
    },
    order: ['id'],
  },
  {
    name: 'AgentSession',
    title: 'sessions',
    columns: {
      number: 'integer',
      id: 'text',
      repoId: 'text',
      extensionId: 'text',
      status: 'text',
      title: 'text',
      metadata: 'text',
      settings: 'text',
      acpSessionId: 'text',
      lastSeq: 'integer',
      createdAt: 'integer',
      updatedAt: 'integer',
      endedAt: 'integer',
      pinned: 'boolean',
      archived: 'boolean',
      turnCount: 'integer',
      messageCount: 'integer',
      snapshot: 'text',
      workspace: 'text',
      forkedFrom: 'text',
      forkedSeq: 'integer',
      forkedTurn: 'text',
      removing: 'boolean',
    },
    order: ['number'],
  },
  {
    name: 'AgentEvent',
    title: 'events',
    columns: { sessionId: 'text', seq: 'integer', at: 'integer', type: 'text', data: 'text' },
    order: ['sessionId', 'seq'],
  },
  {
    name: 'AgentMessage',
    title: 'messages',
    columns: {
      sessionId: 'text',
      itemId: 'text',
      id: 'text',
      turnId: 'text',
      role: 'text',
      content: 'text',
      partial: 'boolean',
      seq: 'integer',
      updatedSeq: 'integer',
      timestamp: 'integer',
      updatedAt: 'integer',
    },
    order: ['sessionId', 'itemId'],
  },
  {
    name: 'AgentCheckpoint',
    title: 'checkpoints',
    columns: { sessionId: 'text', seq: 'integer', steps: 'integer', state: 'text' },
    order: ['sessionId', 'seq'],
  },
  {
    name: 'Media',
    title: 'uses of media',
    columns: {
      id: 'text',
      sessionId: 'text',
      sha256: 'text',
      mimeType: 'text',
      byteLength: 'integer',
      createdAt: 'integer',
    },
    order: ['id'],
  },
  {
    name: 'Credential',
    title: 'sign-ins and tokens',
    columns: {
      id: 'text',
      kind: 'text',
      name: 'text',
      hash: 'text',
      scope: 'text',
      createdAt: 'integer',
      lastUsedAt: 'integer',
      expiresAt: 'integer',
      pushSubscription: 'text',
    },
    order: ['id'],
  },
]

/** One side of a move. Both are read in batches of about a megabyte. */
export type MovedStore = {
  rows(table: MovedTable): AsyncIterable<readonly MovedRow[]>
  insert(table: MovedTable, rows: readonly MovedRow[]): MaybePromise<void>
  /** The hashes of the media files that rows refer to, each once and in order. */
  files(): AsyncIterable<readonly string[]>
  /** Undefined when the file is gone. */
  readFile(sha256: string): MaybePromise<Uint8Array | undefined>
  insertFile(sha256: string, bytes: Uint8Array): MaybePromise<void>
  /** The key pair for push services, as JSON. */
  readPushKey(): MaybePromise<string | undefined>
  writePushKey(json: string): MaybePromise<void>
  /** Called after the last row. Queues all texts for the search. */
  finish(): MaybePromise<void>
}

const BATCH_ROWS = 500
const BATCH_BYTES = 1024 * 1024

/** The number of rows to read next, by the size of the last ones: about a megabyte. */
export function nextBatch(last?: readonly MovedRow[]): number {
  if (last === undefined || last.length === 0) return BATCH_ROWS
  let bytes = 0
  for (const row of last)
    for (const value of row) bytes += typeof value === 'string' ? value.length : 8
  return Math.max(1, Math.min(BATCH_ROWS, Math.floor((BATCH_BYTES * last.length) / bytes)))
}
