// Keeps AgentSession and AgentMessage rows in step with the log, in the log's own transaction.
// A message is one row: inserted when it begins, completed when it ends, never rewritten for each chunk, and written
// at most once in a transaction.
import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import {
  activityOf,
  currentStepOf,
  findItem,
  messageOf,
  type EventOf,
  type Item,
  type MessageBody,
  type SessionEvent,
  type Transcript,
} from '@quayside/protocol'
import { v7 as uuidv7 } from 'uuid'
import type { Database } from '../../store/database.js'
import { decodeEvent, EventRows } from './event-rows.js'
import {
  emptyLive,
  foldPast,
  foldShort,
  forgetPast,
  keepFinished,
  type Live,
  NOTHING,
} from './live-end.js'
import { SearchIndex } from './search-index.js'
import type { Doing } from './session-summary.js'

/** How much of a log is folded before others have their turn. */
const PAGE_EVENTS = 500
const PAGE_BYTES = 256 * 1024

export class Projection {
  readonly #live = new Map<string, Live>()
  readonly #events: EventRows
  readonly #search: SearchIndex
  readonly #statements
  readonly #ids = new MessageIds()

  constructor(db: Database) {
    this.#events = new EventRows(db)
    this.#search = new SearchIndex(db)
    this.#statements = prepareStatements(db)
  }

  /** What a live session is doing, from its committed events. */
  doing(sessionId: string): Doing | undefined {
    const transcript = this.#live.get(sessionId)?.transcript
    if (transcript === undefined) return undefined
    const step = currentStepOf(transcript)
    return { activity: activityOf(transcript), ...(step && { step }) }
  }

  /** A live session as it is folded so far; finished items are no longer in it. */
  findLive(sessionId: string): Transcript | undefined {
    return this.#live.get(sessionId)?.transcript
  }

  /** The current state of a message that is still growing; its row holds only how it began. */
  findLiveItem(sessionId: string, itemId: string): Item | undefined {
    const transcript = this.#live.get(sessionId)?.transcript
    return transcript && findItem(transcript, itemId)
  }

  /**
   * Folds a session that is about to be written again, and others have their turn on the way: its next event finds it in memory
   * and need not fold the whole log in its transaction. To be forgotten when nothing comes of it.
   */
  async load(sessionId: string): Promise<Transcript> {
    const live = emptyLive()
    for (;;) {
      const known = this.#live.get(sessionId)
      if (known) return known.transcript
      if (!this.#foldPage(live, sessionId)) this.#live.set(sessionId, live)
      else await setImmediate()
    }
  }

  /** Drops what is in memory of a session; the next event folds it again from the rows. */
  forget(sessionId: string): void {
    this.#live.delete(sessionId)
  }

  /** Rows an event's own row refers to. */
  beforeEvent(event: SessionEvent): void {
    if (event.type !== 'session.created') return
    const { repoId, extensionId, title, settings } = event.data
    this.#statements.insertSession.run({
      id: event.sessionId,
      repoId,
      extensionId,
      title: title ?? null,
      settings: JSON.stringify(settings ?? {}),
      at: event.at,
    })
  }

  afterEvent(event: SessionEvent): void {
    if (event.type === 'session.updated') {
      this.#setMarks(event)
      if (this.#live.has(event.sessionId)) this.#fold(event)
      // Renaming what has ended should not read its whole log.
      else if (event.data.title !== undefined) this.#setTitle(event.sessionId, event.data.title)
      return
    }
    this.#fold(event)
    this.#updateStatus(event)
  }

  endOfBatch(events: readonly SessionEvent[]): void {
    const last = new Map(events.map((event) => [event.sessionId, event]))
    for (const { sessionId, seq, at } of last.values()) {
      const live = this.#live.get(sessionId)
      if (live) this.#storeChanged(live, sessionId)
      const { turns, messages } = live?.added ?? NOTHING
      this.#statements.touchSession.run(seq, at, turns, messages, sessionId)
      if (live) live.added = { ...NOTHING }
    }
    for (const event of events) if (event.type === 'session.ended') this.forget(event.sessionId)
  }

  #fold(event: SessionEvent): void {
    const live = this.#live.get(event.sessionId) ?? this.#load(event)
    if (event.type === 'turn.started') {
      this.#storeChanged(live, event.sessionId)
      forgetPast(live)
    }
    const { title } = live.transcript
    for (const itemId of foldShort(live.transcript, event)) live.changed.add(itemId)
    if (live.transcript.title !== title) this.#setTitle(event.sessionId, live.transcript.title)
  }

  #storeChanged(live: Live, sessionId: string): void {
    for (const itemId of live.changed) {
      const item = findItem(live.transcript, itemId)
      if (item === undefined) continue
      this.#storeItem(live, sessionId, item)
      keepFinished(live, item)
    }
    live.changed.clear()
  }

  #storeItem(live: Live, sessionId: string, item: Item): void {
    const isKnown = live.rows.has(item.id)
    if (!item.done && isKnown) return
    const message = messageOf(item)
    if (message === undefined) return
    const row = { sessionId, ...message }
    if (isKnown) this.#updateMessage(item, row)
    else if (!this.#insertMessage(live, item, row)) return
    if (item.done && message.content.type === 'text' && !(isKnown && isSettledPrompt(item)))
      this.#search.putText(sessionId, item.seq, message.content.text)
  }

  #updateMessage(item: Item, { sessionId, content }: MessageRow): void {
    const { id, done, updatedSeq, updatedAt } = item
    const partial = done ? 0 : 1
    const json = JSON.stringify(content)
    this.#statements.updateMessage.run(json, partial, updatedSeq, updatedAt, sessionId, id)
  }

  /** False when there is such a row: a late update of a turn that is no longer in memory never replaces what its row says. */
  #insertMessage(live: Live, item: Item, { sessionId, role, content }: MessageRow): boolean {
    live.rows.add(item.id)
    const { changes } = this.#statements.insertMessage.run(
      this.#ids.next(item.at),
      sessionId,
      item.id,
      item.turnId ?? null,
      role,
      JSON.stringify(content),
      item.done ? 0 : 1,
      item.seq,
      item.updatedSeq,
      item.at,
      item.updatedAt,
    )
    if (changes === 0) return false
    live.added.messages += 1
    if (role === 'user' && item.turnId !== undefined) live.added.turns += 1
    return true
  }

  #setTitle(id: string, title: string | null): void {
    this.#statements.setTitle.run({ id, title })
    this.#search.putTitle(id, title)
  }

  #setMarks({ sessionId, data }: EventOf<'session.updated'>): void {
    const { pinned, archived, settings, snapshot } = data
    if (settings !== undefined)
      this.#statements.setSettings.run({ id: sessionId, settings: JSON.stringify(settings) })
    if (snapshot !== undefined)
      this.#statements.setSnapshot.run({ id: sessionId, snapshot: JSON.stringify(snapshot) })
    if (pinned === undefined && archived === undefined) return
    this.#statements.setMarks.run({
      id: sessionId,
      pinned: pinned === undefined ? null : Number(pinned),
      archived: archived === undefined ? null : Number(archived),
    })
  }

  #updateStatus(event: SessionEvent): void {
    const id = event.sessionId
    switch (event.type) {
      case 'session.ended':
        this.#statements.setStatus.run({
          id,
          status: event.data.status,
          metadata: JSON.stringify({ reason: event.data.reason }),
          endedAt: event.at,
        })
        return
      case 'session.resumed':
        this.#statements.setStatus.run({ id, status: 'active', metadata: '{}', endedAt: null })
        return
      case 'agent.started':
        this.#statements.setAcpSession.run({ id, acpSessionId: event.data.acpSessionId })
        return
      default:
    }
  }

  /** Folds what the rows already say of the session, so that open items find their ends. */
  #load(event: SessionEvent): Live {
    const live = emptyLive()
    this.#live.set(event.sessionId, live)
    for (const encoded of this.#events.read(event.sessionId, 0, event.seq - 1))
      foldPast(live, decodeEvent(encoded))
    return live
  }

  /** False when there is nothing more. */
  #foldPage(live: Live, sessionId: string): boolean {
    let bytes = 0
    for (const encoded of this.#events.read(sessionId, live.transcript.seq, PAGE_EVENTS)) {
      foldPast(live, decodeEvent(encoded))
      bytes += encoded.bytes.length
      if (bytes >= PAGE_BYTES) break
    }
    return bytes > 0
  }
}

type MessageRow = MessageBody & { readonly sessionId: string }

/** In the order they were made. What is random in them is drawn once: a draw for each would cost as much as its row. */
class MessageIds {
  readonly #random = randomBytes(16)
  #count = 0

  next(at: number): string {
    this.#count += 1
    return uuidv7({ msecs: at, seq: this.#count, random: this.#random })
  }
}

/** A prompt changes once more when its turn begins, but not in what it says. */
function isSettledPrompt(item: Item): boolean {
  return item.type === 'user' && item.turnId !== undefined && !item.waiting
}

function prepareStatements(db: Database) {
  return {
    insertSession: db.prepare(
      `INSERT INTO AgentSession (id, repoId, extensionId, status, title, settings, createdAt, updatedAt, number)
       VALUES (:id, :repoId, :extensionId, 'active', :title, :settings, :at, :at,
         (SELECT coalesce(max(number), 0) + 1 FROM AgentSession))`,
    ),
    touchSession: db.prepare(
      `UPDATE AgentSession SET lastSeq = ?, updatedAt = ?,
         turnCount = turnCount + ?, messageCount = messageCount + ? WHERE id = ?`,
    ),
    setStatus: db.prepare(
      `UPDATE AgentSession SET status = :status, metadata = :metadata, endedAt = :endedAt WHERE id = :id`,
    ),
    setSettings: db.prepare('UPDATE AgentSession SET settings = :settings WHERE id = :id'),
    setSnapshot: db.prepare('UPDATE AgentSession SET snapshot = :snapshot WHERE id = :id'),
    setTitle: db.prepare('UPDATE AgentSession SET title = :title WHERE id = :id'),
    setMarks: db.prepare(
      `UPDATE AgentSession SET pinned = coalesce(:pinned, pinned), archived = coalesce(:archived, archived)
       WHERE id = :id`,
    ),
    setAcpSession: db.prepare(
      'UPDATE AgentSession SET acpSessionId = :acpSessionId WHERE id = :id',
    ),
    insertMessage: db.prepare(
      `INSERT INTO AgentMessage (id, sessionId, itemId, turnId, role, content, partial,
         seq, updatedSeq, timestamp, updatedAt)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
    ),
    updateMessage: db.prepare(
      `UPDATE AgentMessage SET content = ?, partial = ?, updatedSeq = ?, updatedAt = ?
       WHERE sessionId = ? AND itemId = ?`,
    ),
  }
}
