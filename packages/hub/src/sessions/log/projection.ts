// Folds each batch of events and plans the session and message rows that follow from it, for the log's own commit.
// A message is one row: inserted when it begins, completed when it ends, written at most once in a batch.
import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import {
  activityOf,
  currentStepOf,
  findItem,
  type EventOf,
  type ForkPoint,
  type Item,
  messageOf,
  type SessionEvent,
  type Transcript,
} from '@quayside/protocol'
import { v7 as uuidv7 } from 'uuid'
import type { SessionInsert, SessionBatch, SessionColumns } from '../../store/event-store.js'
import { isPromise, type MaybePromise, whenReady } from '../../store/maybe-promise.js'
import type { NumberedEvent } from './encoded-events.js'
import { foldNext, type FoldRange, type FoldStore, openFold } from './fold-log.js'
import {
  foldLive,
  isCheckpointDue,
  type LiveTranscript,
  takeCheckpoint,
} from './live-transcript.js'
import { toStored } from './long-texts.js'
import type { EndMetadata, LiveActivity } from './session-summary.js'

export class Projection {
  readonly #live = new Map<string, LiveTranscript>()
  readonly #store: FoldStore
  readonly #ids = new MessageIds()
  readonly #storesActivity: boolean
  /** Sessions whose latest events could not be stored. */
  readonly notStored = new Set<string>()

  /** `storesActivity`: other hubs list the sessions of this one. */
  constructor(store: FoldStore, { storesActivity = false } = {}) {
    this.#store = store
    this.#storesActivity = storesActivity
  }

  /** The activity of a live session. */
  activityOf(sessionId: string): LiveActivity | undefined {
    const transcript = this.#live.get(sessionId)?.transcript
    const notStored = this.notStored.has(sessionId) && ({ notStored: true } as const)
    if (transcript === undefined) return notStored || undefined
    return { ...describeActivity(transcript), ...notStored }
  }

  /** A live session as folded so far; finished items are no longer in it. */
  findLive(sessionId: string): Transcript | undefined {
    return this.#live.get(sessionId)?.transcript
  }

  /** The current state of a message that is still growing; its row holds only its beginning. */
  findLiveItem(sessionId: string, itemId: string): Item | undefined {
    const transcript = this.#live.get(sessionId)?.transcript
    const item = transcript && findItem(transcript, itemId)
    return item && toStored(item)
  }

  /**
   * Folds a session that is about to be written again, with other work in between, so that its next event need not. Call
   * `forget` when no event follows.
   */
  async load(sessionId: string): Promise<Transcript> {
    const live = await this.#open({ sessionId })
    for (;;) {
      const known = this.#live.get(sessionId)
      if (known) return known.transcript
      if (!(await foldNext(this.#store, live, { sessionId }))) this.#live.set(sessionId, live)
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

  /** Folds the stored events of a session, so that the ends of open items find them. A new fork has none of its own yet. */
  foldStored(sessionId: string, fork?: ForkPoint): MaybePromise<void> {
    if (this.#live.has(sessionId)) return
    const range = fork ? { sessionId: fork.sessionId, end: fork.seq + 1 } : { sessionId }
    return whenReady(this.#open(range), (live) =>
      whenReady(this.#foldAll(live, range), () => {
        this.#live.set(sessionId, live)
      }),
    )
  }

  #open({ sessionId, end }: FoldRange): MaybePromise<LiveTranscript> {
    const lastSeq = end === undefined ? this.#store.events.lastSeq(sessionId) : end - 1
    return whenReady(lastSeq, (seq) => openFold(this.#store, sessionId, seq))
  }

  /** The rows that follow from a batch. Memory is ahead of the store until it is committed; on failure call `forget`. */
  plan(events: readonly NumberedEvent[]): SessionBatch[] {
    const batches = new Map<string, SessionBatch>()
    for (const { event, encoded } of events) {
      const batch = batchOf(batches, event.sessionId)
      if (event.type === 'session.created') batch.created = newSession(event)
      batch.events.push(encoded)
      this.#apply(batch, event, encoded.bytes.length)
    }
    for (const batch of batches.values()) {
      const live = this.#live.get(batch.sessionId)
      if (live) this.#planChanged(live, batch)
      if (live && this.#storesActivity) planActivity(live, batch.change)
    }
    for (const { sessionId } of batches.values()) this.#forgetEnded(sessionId)
    return [...batches.values()]
  }

  /** Also after a late event: another hub may resume a session that has ended, and write its log. */
  #forgetEnded(sessionId: string): void {
    const live = this.#live.get(sessionId)
    if (live && live.transcript.status !== 'active') this.forget(sessionId)
  }

  #apply(batch: SessionBatch, event: SessionEvent, bytes: number): void {
    if (event.type !== 'session.updated') {
      this.#fold(batch, event, bytes)
      applyState(batch.change, event, this.#live.get(event.sessionId)?.transcript)
      return
    }
    applyUpdate(batch.change, event)
    if (this.#live.has(event.sessionId)) this.#fold(batch, event, bytes)
    else if (event.data.title !== undefined) batch.change.title = event.data.title
  }

  #fold(batch: SessionBatch, event: SessionEvent, bytes: number): void {
    const live = this.#live.get(event.sessionId)
    if (live === undefined) throw new Error(`session ${event.sessionId} is not in memory`)
    const { title } = live.transcript
    for (const itemId of foldLive(live, event, bytes)) live.changed.add(itemId)
    // A fork begins with a title, which is new to the search.
    const isBegun = event.type === 'session.created' && event.data.forkedFrom !== undefined
    if (live.transcript.title !== title || isBegun) batch.change.title = live.transcript.title
    if (!isCheckpointDue(live)) return
    this.#planChanged(live, batch)
    batch.checkpoints.push(takeCheckpoint(live))
  }

  #planChanged(live: LiveTranscript, batch: SessionBatch): void {
    for (const itemId of live.changed) {
      const item = findItem(live.transcript, itemId)
      if (item !== undefined) this.#planMessage(live, batch, item)
    }
    live.changed.clear()
  }

  #planMessage(live: LiveTranscript, batch: SessionBatch, item: Item): void {
    const isKnown = live.rows.has(item.id)
    if (!item.done && isKnown) return
    const message = messageOf(toStored(item))
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
      isSearched: isSearched || earlier?.isSearched === true,
    })
  }

  #foldAll(live: LiveTranscript, range: FoldRange): MaybePromise<void> {
    for (;;) {
      const hasMore = foldNext(this.#store, live, range)
      if (isPromise(hasMore))
        return hasMore.then((more) => (more ? this.#foldAll(live, range) : undefined))
      if (!hasMore) return undefined
    }
  }
}

function describeActivity(transcript: Transcript): LiveActivity {
  const step = currentStepOf(transcript)
  return { activity: activityOf(transcript), ...(step && { step }), ...costOf(transcript) }
}

function planActivity(live: LiveTranscript, change: SessionColumns): void {
  const text = JSON.stringify(describeActivity(live.transcript))
  if (text === live.plannedActivity) return
  live.plannedActivity = text
  change.activity = text
}

function batchOf(batches: Map<string, SessionBatch>, sessionId: string): SessionBatch {
  const known = batches.get(sessionId)
  if (known) return known
  const batch: SessionBatch = {
    sessionId,
    events: [],
    change: {},
    messages: new Map(),
    checkpoints: [],
  }
  batches.set(sessionId, batch)
  return batch
}

function newSession({ at, data }: EventOf<'session.created'>): SessionInsert {
  const { repoId, extensionId, cwd, title, workspace, forkedFrom } = data
  const settings = JSON.stringify(data.settings ?? {})
  const place = JSON.stringify(workspace ?? { kind: 'shared', path: cwd })
  return { repoId, extensionId, title: title ?? null, settings, workspace: place, forkedFrom, at }
}

function applyUpdate(change: SessionColumns, { data }: EventOf<'session.updated'>): void {
  const { pinned, archived, settings, snapshot, workspace } = data
  if (settings !== undefined) change.settings = JSON.stringify(settings)
  if (snapshot !== undefined) change.snapshot = JSON.stringify(snapshot)
  if (workspace !== undefined) change.workspace = JSON.stringify(workspace)
  if (pinned !== undefined) change.pinned = pinned
  if (archived !== undefined) change.archived = archived
}

function applyState(
  change: SessionColumns,
  event: SessionEvent,
  transcript: Transcript | undefined,
): void {
  switch (event.type) {
    case 'session.ended': {
      const { status, reason, details } = event.data
      const timedOut = transcript && currentStepOf(transcript)?.type === 'timeout'
      const wasIdle = details?.['wasIdle'] === true
      const interrupted = details?.['interrupted'] === true
      const metadata: EndMetadata = {
        reason,
        ...(timedOut && { timedOut }),
        ...(wasIdle && { wasIdle }),
        ...(interrupted && { interrupted }),
        ...(transcript && costOf(transcript)),
      }
      change.state = { status, metadata: JSON.stringify(metadata), endedAt: event.at }
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

function costOf({ usage }: Transcript): Pick<EndMetadata, 'cost'> {
  return usage?.cost ? { cost: usage.cost } : {}
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
