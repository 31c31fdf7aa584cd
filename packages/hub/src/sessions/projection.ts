// Keeps AgentSession and AgentMessage rows in step with the log, in the log's own transaction.
// A message is one row: inserted when it begins, completed when it ends, never rewritten for each chunk.
import {
  activityOf,
  applyEvent,
  emptyTranscript,
  forgetFinished,
  messageOf,
  type Activity,
  type EventOf,
  type Item,
  type MessageRole,
  type SessionEvent,
  type Transcript,
} from '@quayside/protocol'
import { v7 as uuidv7 } from 'uuid'
import type { Database } from '../store/database.js'
import { EventRows } from './event-rows.js'
import { SearchIndex } from './search-index.js'

/** The live end of a session: its running turn folded, which of its items have a row, and what this batch added. */
type Live = {
  readonly transcript: Transcript
  readonly rows: Set<string>
  added: { turns: number; messages: number }
}

export class Projection {
  readonly #live = new Map<string, Live>()
  readonly #events: EventRows
  readonly #search: SearchIndex
  readonly #statements

  constructor(db: Database) {
    this.#events = new EventRows(db)
    this.#search = new SearchIndex(db)
    this.#statements = prepareStatements(db)
  }

  /** What a live session is doing, from its committed events. */
  activity(sessionId: string): Activity | undefined {
    const live = this.#live.get(sessionId)
    return live && activityOf(live.transcript)
  }

  /** A live session as it is folded so far; finished items are no longer in it. */
  findLive(sessionId: string): Transcript | undefined {
    return this.#live.get(sessionId)?.transcript
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
      const { turns, messages } = live?.added ?? NOTHING
      this.#statements.touchSession.run({ id: sessionId, seq, at, turns, messages })
      if (live) live.added = { ...NOTHING }
    }
    for (const event of events) if (event.type === 'session.ended') this.forget(event.sessionId)
  }

  #fold(event: SessionEvent): void {
    const live = this.#live.get(event.sessionId) ?? this.#load(event)
    if (event.type === 'turn.started') forgetPast(live)
    const { title } = live.transcript
    for (const itemId of applyEvent(live.transcript, event)) this.#storeItem(live, event, itemId)
    if (live.transcript.title !== title) this.#setTitle(event.sessionId, live.transcript.title)
  }

  #storeItem(live: Live, event: SessionEvent, itemId: string): void {
    const position = live.transcript.index.get(itemId)
    const item = position === undefined ? undefined : live.transcript.items[position]
    const isKnown = live.rows.has(itemId)
    if (item === undefined || (!item.done && isKnown)) return
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
    if (isKnown) this.#statements.updateMessage.run(row)
    else if (!this.#insertMessage(live, item, { ...row, role: message.role })) return
    if (item.done && message.content.type === 'text' && !(isKnown && isSettledPrompt(item)))
      this.#search.putText(event.sessionId, item.seq, message.content.text)
  }

  /** False when there is such a row: a late update of a turn that is no longer in memory never replaces what its row says. */
  #insertMessage(live: Live, item: Item, row: { itemId: string; role: MessageRole }): boolean {
    live.rows.add(row.itemId)
    const { changes } = this.#statements.insertMessage.run({
      ...row,
      id: uuidv7(),
      turnId: item.turnId ?? null,
      seq: item.seq,
      timestamp: item.at,
    })
    if (changes === 0) return false
    live.added.messages += 1
    if (row.role === 'user' && item.turnId !== undefined) live.added.turns += 1
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
    const live = {
      transcript: emptyTranscript(),
      rows: new Set<string>(),
      added: { ...NOTHING },
    }
    this.#live.set(event.sessionId, live)
    for (let after = 0; after < event.seq - 1;) {
      const page = this.#events.read(event.sessionId, after, 1_000)
      for (const { json } of page) {
        const past = JSON.parse(json) as SessionEvent
        if (past.seq >= event.seq) return live
        if (past.type === 'turn.started') forgetPast(live)
        for (const itemId of applyEvent(live.transcript, past)) live.rows.add(itemId)
      }
      after = page.at(-1)?.seq ?? event.seq
    }
    return live
  }
}

const NOTHING = { turns: 0, messages: 0 } as const

/** A prompt changes once more when its turn begins, but not in what it says. */
function isSettledPrompt(item: Item): boolean {
  return item.type === 'user' && item.turnId !== undefined && !item.waiting
}

/** What is finished stays in its rows; a late word about it is ignored there. */
function forgetPast({ transcript, rows }: Live): void {
  forgetFinished(transcript)
  for (const itemId of rows) if (!transcript.index.has(itemId)) rows.delete(itemId)
}

function prepareStatements(db: Database) {
  return {
    insertSession: db.prepare(
      `INSERT INTO AgentSession (id, repoId, extensionId, status, title, settings, createdAt, updatedAt, number)
       VALUES (:id, :repoId, :extensionId, 'active', :title, :settings, :at, :at,
         (SELECT coalesce(max(number), 0) + 1 FROM AgentSession))`,
    ),
    touchSession: db.prepare(
      `UPDATE AgentSession SET lastSeq = :seq, updatedAt = :at,
         turnCount = turnCount + :turns, messageCount = messageCount + :messages WHERE id = :id`,
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
