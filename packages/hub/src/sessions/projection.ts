// Keeps AgentSession and AgentMessage rows in step with the log, in the log's own transaction.
// A message is one row: inserted when it begins, completed when it ends, never rewritten for each chunk.
import {
  activityOf,
  applyEvent,
  emptyTranscript,
  forgetFinished,
  messageOf,
  type Activity,
  type Item,
  type SessionEvent,
  type Transcript,
} from '@quayside/protocol'
import { v7 as uuidv7 } from 'uuid'
import type { Database } from '../store/database.js'
import { EventRows } from './event-rows.js'

/** The live end of a session: its running turn folded, and which of its items have a row. */
type Live = { readonly transcript: Transcript; readonly rows: Set<string> }

export class Projection {
  readonly #live = new Map<string, Live>()
  readonly #events: EventRows
  readonly #statements

  constructor(db: Database) {
    this.#events = new EventRows(db)
    this.#statements = prepareStatements(db)
  }

  /** What a live session is doing, from its committed events. */
  activity(sessionId: string): Activity | undefined {
    const live = this.#live.get(sessionId)
    return live && activityOf(live.transcript)
  }

  /** The current state of a message that is still growing; its row holds only how it began. */
  findLiveItem(sessionId: string, itemId: string): Item | undefined {
    const transcript = this.#live.get(sessionId)?.transcript
    const position = transcript?.index.get(itemId)
    return position === undefined ? undefined : transcript?.items[position]
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
    const live = this.#live.get(event.sessionId) ?? this.#load(event)
    if (event.type === 'turn.started') forgetFinished(live.transcript)
    const { title } = live.transcript
    for (const itemId of applyEvent(live.transcript, event)) this.#storeItem(live, event, itemId)
    if (live.transcript.title !== title)
      this.#statements.setTitle.run({ id: event.sessionId, title: live.transcript.title })
    this.#updateStatus(event)
  }

  endOfBatch(events: readonly SessionEvent[]): void {
    const last = new Map(events.map((event) => [event.sessionId, event]))
    for (const event of last.values())
      this.#statements.touchSession.run({ id: event.sessionId, seq: event.seq, at: event.at })
    for (const event of events) if (event.type === 'session.ended') this.forget(event.sessionId)
  }

  #storeItem(live: Live, event: SessionEvent, itemId: string): void {
    const position = live.transcript.index.get(itemId)
    const item = position === undefined ? undefined : live.transcript.items[position]
    if (item === undefined || (!item.done && live.rows.has(itemId))) return
    const message = messageOf(item)
    if (message === undefined) return
    const row = {
      sessionId: event.sessionId,
      itemId,
      content: JSON.stringify(message.content),
      partial: item.done ? 0 : 1,
      updatedSeq: item.updatedSeq,
      updatedAt: item.updatedAt,
    }
    if (live.rows.has(itemId)) {
      this.#statements.updateMessage.run(row)
      return
    }
    live.rows.add(itemId)
    this.#statements.insertMessage.run({
      ...row,
      id: uuidv7(),
      turnId: item.turnId ?? null,
      role: message.role,
      seq: item.seq,
      timestamp: item.at,
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
    const live = { transcript: emptyTranscript(), rows: new Set<string>() }
    this.#live.set(event.sessionId, live)
    for (let after = 0; after < event.seq - 1;) {
      const page = this.#events.read(event.sessionId, after, 1_000)
      for (const { json } of page) {
        const past = JSON.parse(json) as SessionEvent
        if (past.seq >= event.seq) return live
        if (past.type === 'turn.started') forgetFinished(live.transcript)
        for (const itemId of applyEvent(live.transcript, past)) live.rows.add(itemId)
      }
      after = page.at(-1)?.seq ?? event.seq
    }
    return live
  }
}

function prepareStatements(db: Database) {
  return {
    insertSession: db.prepare(
      `INSERT INTO AgentSession (id, repoId, extensionId, status, title, settings, createdAt, updatedAt)
       VALUES (:id, :repoId, :extensionId, 'active', :title, :settings, :at, :at)`,
    ),
    touchSession: db.prepare(
      'UPDATE AgentSession SET lastSeq = :seq, updatedAt = :at WHERE id = :id',
    ),
    setStatus: db.prepare(
      `UPDATE AgentSession SET status = :status, metadata = :metadata, endedAt = :endedAt WHERE id = :id`,
    ),
    setTitle: db.prepare('UPDATE AgentSession SET title = :title WHERE id = :id'),
    setAcpSession: db.prepare(
      'UPDATE AgentSession SET acpSessionId = :acpSessionId WHERE id = :id',
    ),
    // A late update of a turn that is no longer in memory never replaces what its row says.
    insertMessage: db.prepare(
      `INSERT INTO AgentMessage (id, sessionId, itemId, turnId, role, content, partial,
         seq, updatedSeq, timestamp, updatedAt)
       VALUES (:id, :sessionId, :itemId, :turnId, :role, :content, :partial,
         :seq, :updatedSeq, :timestamp, :updatedAt)
       ON CONFLICT DO NOTHING`,
    ),
    updateMessage: db.prepare(
      `UPDATE AgentMessage SET content = :content, partial = :partial,
         updatedSeq = :updatedSeq, updatedAt = :updatedAt
       WHERE sessionId = :sessionId AND itemId = :itemId`,
    ),
  }
}
