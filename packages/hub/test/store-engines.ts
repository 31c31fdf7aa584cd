// The engines that the contract of the store's ports is tested with, and batches as the event log makes them.
import type { EventType } from '@quayside/protocol'
import { v7 as uuidv7 } from 'uuid'
import type { MessageWrite, NewEvent, SessionBatch } from '../src/store/event-store.js'
import type { MessageRange, MessageRow } from '../src/store/session-store.js'
import { sqliteStore } from '../src/store/sqlite/sqlite-store.js'
import type { Store } from '../src/store/store.js'
import { openEmptyPostgres } from './postgres-fixture.js'
import { NOON, TestDatabase } from './store-fixture.js'

/** An empty store; `close` removes everything it has written. */
export type OpenStore = { readonly store: Store; close(): void | Promise<void> }

export const ENGINES: readonly {
  readonly name: string
  readonly open: () => OpenStore | Promise<OpenStore>
}[] = [
  { name: 'SQLite', open: openSqlite },
  { name: 'PostgreSQL', open: openEmptyPostgres },
]

function openSqlite(): OpenStore {
  const database = new TestDatabase()
  return { store: sqliteStore(database.db), close: () => database[Symbol.dispose]() }
}

/** The repository must exist before its sessions. */
export async function addRepo(store: Store, name = 'shop'): Promise<string> {
  return store.repos.remember({ id: uuidv7(), name, path: `/code/${name}` }, NOON)
}

export async function messagesOf(
  store: Store,
  sessionId: string,
  range: Partial<MessageRange> = {},
): Promise<MessageRow[]> {
  const all = { after: 0, until: Number.MAX_SAFE_INTEGER }
  return [...(await store.sessions.messages(sessionId, { ...all, ...range }))]
}

export type BatchInput = Partial<Omit<SessionBatch, 'events' | 'messages'>> & {
  readonly events?: readonly NewEvent[]
  readonly messages?: readonly MessageWrite[]
}

export function batchOf(sessionId: string, input: BatchInput = {}): SessionBatch {
  const { created, events = [], change = {}, messages = [], checkpoints = [] } = input
  return {
    sessionId,
    ...(created && { created }),
    events: [...events],
    change,
    messages: new Map(messages.map((message) => [message.itemId, message])),
    checkpoints,
  }
}

export function eventOf(
  sessionId: string,
  seq: number,
  { type = 'notice', at = NOON + seq, data = {} }: Partial<EventInput> = {},
): NewEvent {
  const json = JSON.stringify(data)
  const head = `{"sessionId":"${sessionId}","seq":${seq},"at":${at},"type":"${type}","data":`
  return { seq, at, type, bytes: Buffer.from(`${head}${json}}`), data: Buffer.from(json) }
}
type EventInput = { readonly type: EventType; readonly at: number; readonly data: unknown }

/** A text that is in the search, of an agent unless it is a prompt of a turn. */
export function textOf(
  seq: number,
  text: string,
  { turnId = null, ...rest }: Partial<MessageWrite> = {},
): MessageWrite {
  return {
    id: uuidv7(),
    itemId: `text:${seq}`,
    turnId,
    role: turnId === null ? 'agent' : 'user',
    content: JSON.stringify({ type: 'text', text }),
    isPartial: false,
    seq,
    updatedSeq: seq,
    at: NOON + seq,
    updatedAt: NOON + seq,
    hasRow: false,
    isSearched: true,
    ...rest,
  }
}

export type SessionInput = {
  readonly repoId: string
  readonly extensionId?: string
  readonly at?: number
  readonly title?: string | null
  readonly messages?: readonly MessageWrite[]
}

/** A session with one event, and one more for each message. */
export async function addSession(store: Store, input: SessionInput): Promise<string> {
  const { repoId, extensionId = 'demo', at = NOON, title = null, messages = [] } = input
  const id = uuidv7()
  const created = { repoId, extensionId, title, settings: '{}', workspace: '{}', at }
  const seqs = [1, ...messages.map(({ seq }) => seq)]
  const events = seqs.map((seq) =>
    eventOf(id, seq, { type: seq === 1 ? 'session.created' : 'notice' }),
  )
  const change = title === null ? {} : { title }
  await store.events.commit([batchOf(id, { created, events, change, messages })])
  return id
}

export async function endSession(store: Store, sessionId: string, endedAt = NOON): Promise<void> {
  const state = { status: 'completed', metadata: '{"reason":"test"}', endedAt } as const
  await store.events.commit([batchOf(sessionId, { change: { state } })])
}
