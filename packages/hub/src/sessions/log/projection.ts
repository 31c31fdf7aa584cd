// Folds each batch of events and plans the session and message rows that follow from it, for the log's own commit.
// A message is one row: inserted when it begins, completed when it ends, written at most once in a batch.
import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import {
  activityOf,
  currentStepOf,
  findItem,
  type EventOf,
  type Item,
  messageOf,
  type SessionEvent,
  type Transcript,
} from '@quayside/protocol'
import { v7 as uuidv7 } from 'uuid'
import type {
  EventStore,
  SessionInsert,
  SessionBatch,
  SessionColumns,
} from '../../store/event-store.js'
import { isPromise, type MaybePromise, whenReady } from '../../store/maybe-promise.js'
import { decodeEvent, type NumberedEvent } from './encoded-events.js'
import {
  emptyLiveTranscript,
  foldPast,
  foldShort,
  forgetPast,
  keepFinished,
  type LiveTranscript,
} from './live-transcript.js'
import { KEPT_CHARS } from './long-texts.js'
import type { LiveActivity } from './session-summary.js'

/** Events that are folded before other work may run. */
const PAGE_EVENTS = 500
const PAGE_BYTES = 256 * 1024

export class Projection {
  readonly #live = new Map<string, LiveTranscript>()
  readonly #store: EventStore
  readonly #ids = new MessageIds()

  constructor(store: EventStore) {
    this.#store = store
  }

  /** The activity of a live session. */
  activityOf(sessionId: string): LiveActivity | undefined {
    const transcript = this.#live.get(sessionId)?.transcript
    if (transcript === undefined) return undefined
    const step = currentStepOf(transcript)
    return { activity: activityOf(transcript), ...(step && { step }) }
  }

  /** A live session as folded so far; finished items are no longer in it. */
  findLive(sessionId: string): Transcript | undefined {
    return this.#live.get(sessionId)?.transcript
  }

  /** The current state of a message that is still growing; its row holds only its beginning. */
  findLiveItem(sessionId: string, itemId: string): Item | undefined {
    const transcript = this.#live.get(sessionId)?.transcript
    return transcript && findItem(transcript, itemId)
  }

  /**
   * Folds a session that is about to be written again, with other work in between, so that its next event need not fold the
   * whole log. Call `forget` when no event follows.
   */
  async load(sessionId: string): Promise<Transcript> {
    const live = emptyLiveTranscript()
    for (;;) {
      const known = this.#live.get(sessionId)
      if (known) return known.transcript
      if (!(await this.#foldPage(live, sessionId))) this.#live.set(sessionId, live)
      else await setImmediate()
    }
  }

  /** Drops a session's memory; its next event folds its log again. */
  forget(sessionId: string): void {
    this.#live.delete(sessionId)
  }

  /** Renaming a session that has ended does not read its whole log. */
  isReady(sessionId: string, type: SessionEvent['type']): boolean {
    return type === 'session.updated' || this.#live.has(sessionId)
  }

  /** Folds the stored events of a session, so that the ends of open items find them. */
  foldStored(sessionId: string): MaybePromise<void> {
    if (this.#live.has(sessionId)) return
    const live = emptyLiveTranscript()
    return whenReady(this.#foldAll(live, sessionId), () => {
      this.#live.set(sessionId, live)
    })
  }

  /** The rows that follow from a batch. Memory is ahead of the store until it is committed; on failure call `forget`. */
  plan(events: readonly NumberedEvent[]): SessionBatch[] {
    const batches = new Map<string, SessionBatch>()
    for (const { event, encoded } of events) {
      const batch = batchOf(batches, event.sessionId)
      if (event.type === 'session.created') batch.created = newSession(event)
      batch.events.push(encoded)
      this.#apply(batch, event)
    }
    for (const batch of batches.values()) {
      const live = this.#live.get(batch.sessionId)
      if (live) this.#planChanged(live, batch)
    }
    for (const { event } of events) if (event.type === 'session.ended') this.forget(event.sessionId)
    return [...batches.values()]
  }

  #apply(batch: SessionBatch, event: SessionEvent): void {
    if (event.type !== 'session.updated') {
      this.#fold(batch, event)
      applyState(batch.change, event)
      return
    }
    applyUpdate(batch.change, event)
    if (this.#live.has(event.sessionId)) this.#fold(batch, event)
    else if (event.data.title !== undefined) batch.change.title = event.data.title
  }

  #fold(batch: SessionBatch, event: SessionEvent): void {
    const live = this.#live.get(event.sessionId)
    if (live === undefined) throw new Error(`session ${event.sessionId} is not in memory`)
    if (event.type === 'turn.started') {
      this.#planChanged(live, batch)
      forgetPast(live)
    }
    const { title } = live.transcript
    for (const itemId of foldShort(live.transcript, event)) live.changed.add(itemId)
    if (live.transcript.title !== title) batch.change.title = live.transcript.title
  }

  #planChanged(live: LiveTranscript, batch: SessionBatch): void {
    for (const itemId of live.changed) {
      const item = findItem(live.transcript, itemId)
      if (item === undefined) continue
      this.#planMessage(live, batch, item)
      keepFinished(live, item)
    }
    live.changed.clear()
  }

  #planMessage(live: LiveTranscript, batch: SessionBatch, item: Item): void {
    const isKnown = live.rows.has(item.id)
    if (!item.done && isKnown) return
    const message = messageOf(item)
    if (message === undefined) return
    live.rows.add(item.id)
    const { role, content } = message
    const earlier = batch.messages.get(item.id)
    const hasRow = earlier?.hasRow ?? isKnown
    const isSearched = item.done && content.type === 'text' && !(isKnown && isSettledPrompt(item))
    batch.messages.set(item.id, {
      id: earlier?.id ?? (hasRow ? '' : this.#ids.next(item.at)),
      itemId: item.id,
      turnId: item.turnId ?? null,
      role,
      content: JSON.stringify(content),
      isPartial: !item.done,
      seq: item.seq,
      updatedSeq: item.updatedSeq,
      at: item.at,
      updatedAt: item.updatedAt,
      hasRow,
      // A search finds only the beginning of a long text: indexing more would block the loop.
      searchText: isSearched ? content.text.slice(0, KEPT_CHARS) : earlier?.searchText,
    })
  }

  #foldAll(live: LiveTranscript, sessionId: string): MaybePromise<void> {
    for (;;) {
      const hasMore = this.#foldPage(live, sessionId)
      if (isPromise(hasMore))
        return hasMore.then((more) => (more ? this.#foldAll(live, sessionId) : undefined))
      if (!hasMore) return undefined
    }
  }

  /** False when no event is left. */
  #foldPage(live: LiveTranscript, sessionId: string): MaybePromise<boolean> {
    return whenReady(this.#store.read(sessionId, live.transcript.seq, PAGE_EVENTS), (events) => {
      let bytes = 0
      for (const encoded of events) {
        foldPast(live, decodeEvent(encoded))
        bytes += encoded.bytes.length
        if (bytes >= PAGE_BYTES) break
      }
      return bytes > 0
    })
  }
}

function batchOf(batches: Map<string, SessionBatch>, sessionId: string): SessionBatch {
  const known = batches.get(sessionId)
  if (known) return known
  const batch: SessionBatch = { sessionId, events: [], change: {}, messages: new Map() }
  batches.set(sessionId, batch)
  return batch
}

function newSession({ at, data }: EventOf<'session.created'>): SessionInsert {
  const { repoId, extensionId, title, settings } = data
  const json = JSON.stringify(settings ?? {})
  return { repoId, extensionId, title: title ?? null, settings: json, at }
}

function applyUpdate(change: SessionColumns, { data }: EventOf<'session.updated'>): void {
  const { pinned, archived, settings, snapshot } = data
  if (settings !== undefined) change.settings = JSON.stringify(settings)
  if (snapshot !== undefined) change.snapshot = JSON.stringify(snapshot)
  if (pinned !== undefined) change.pinned = pinned
  if (archived !== undefined) change.archived = archived
}

function applyState(change: SessionColumns, event: SessionEvent): void {
  switch (event.type) {
    case 'session.ended': {
      const { status, reason } = event.data
      change.state = { status, metadata: JSON.stringify({ reason }), endedAt: event.at }
      return
    }
    case 'session.resumed':
      change.state = { status: 'active', metadata: '{}', endedAt: null }
      return
    case 'agent.started':
      change.acpSessionId = event.data.acpSessionId
      return
    default:
  }
}

/** In order. The random part is drawn once: a draw for each id would cost as much as its row. */
class MessageIds {
  readonly #random = randomBytes(16)
  #count = 0

  next(at: number): string {
    this.#count += 1
    return uuidv7({ msecs: at, seq: this.#count, random: this.#random })
  }
}

/** A prompt changes once more when its turn begins, but its text does not. */
function isSettledPrompt(item: Item): boolean {
  return item.type === 'user' && item.turnId !== undefined && !item.waiting
}
