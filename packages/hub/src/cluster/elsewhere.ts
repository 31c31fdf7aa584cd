// The sessions that other hubs write: wakes their followers here and reports their changes. Hints make it prompt; a look once a second
// is the truth.
import type { Log } from '../log.js'
import type { EventLog } from '../sessions/log/event-log.js'
import type { ClusterStore, Hint } from '../store/cluster-store.js'
import type { KnownHubs } from './known-hubs.js'

const LOOK_MS = 1_000
/** Changes of sessions that are not active, such as a new title, are looked for so often. */
const LOOK_AT_ALL_MS = 30_000
/** Clocks of hubs may differ by this much. */
const CLOCKS_MS = 60_000

export type ElsewhereDeps = {
  readonly store: ClusterStore
  readonly hubs: KnownHubs
  readonly eventLog: EventLog
  readonly log: Log
}

export class Elsewhere {
  readonly #deps: ElsewhereDeps
  readonly #listeners = new Set<(sessionId: string) => void>()
  readonly #stopListening: readonly (() => void)[]
  /** The last events of active sessions, as they were seen last. */
  #active = new Map<string, number>()
  /** Those of sessions that changed lately, active or not. */
  #changed = new Map<string, number>()
  #living = ''
  #lookedAtAll = performance.now()
  #timer: NodeJS.Timeout | undefined

  /** Until it is closed. */
  constructor(deps: ElsewhereDeps) {
    this.#deps = deps
    const { store, eventLog } = deps
    this.#stopListening = [
      eventLog.onChange((sessionId) => this.#hint(sessionId)),
      store.onHints((hints) => {
        for (const hint of hints) this.#take(hint)
      }),
    ]
    this.#lookLater()
  }

  /** Calls `listener` with each session that another hub has changed, until the returned function is called. */
  onChange(listener: (sessionId: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const stop of this.#stopListening) stop()
  }

  /** Tells the other hubs of a commit. */
  #hint(sessionId: string): void {
    const { store, hubs, eventLog } = this.#deps
    if (hubs.others.length === 0) return
    const lastSeq = eventLog.lastSeq(sessionId)
    if (typeof lastSeq === 'number') store.sendHint({ sessionId, lastSeq })
    // This hub has lost the session. The question is dropped, and it fails while the database is away.
    else lastSeq.catch(() => undefined)
  }

  #take({ sessionId, lastSeq }: Hint): void {
    this.#deps.eventLog.advance(sessionId, lastSeq)
    this.#announce(sessionId)
  }

  #announce(sessionId: string): void {
    for (const listener of this.#listeners) listener(sessionId)
  }

  #lookLater(): void {
    this.#timer = setTimeout(() => void this.#lookAgain(), LOOK_MS).unref()
  }

  async #lookAgain(): Promise<void> {
    await this.#look().catch((error: unknown) =>
      this.#deps.log.debug({ err: error }, 'cannot look for changes of other hubs'),
    )
    if (this.#timer) this.#lookLater()
  }

  async #look(): Promise<void> {
    await this.#lookAtFollowed()
    if (this.#listeners.size === 0) return
    await this.#lookAtActive()
    const now = performance.now()
    if (now - this.#lookedAtAll < LOOK_AT_ALL_MS) return
    this.#lookedAtAll = now
    await this.#lookAtAll()
  }

  async #lookAtFollowed(): Promise<void> {
    const { store, eventLog } = this.#deps
    const ids = eventLog.followedElsewhere()
    if (ids.length === 0) return
    const found = await store.lastSeqs(ids)
    const removed = new Set(ids)
    for (const { sessionId, lastSeq } of found) {
      removed.delete(sessionId)
      eventLog.advance(sessionId, lastSeq)
    }
    for (const sessionId of removed) eventLog.endRemoved(sessionId)
  }

  /** A session that is no longer active has changed, too, and so have all when a hub came or went. */
  async #lookAtActive(): Promise<void> {
    const { store, hubs } = this.#deps
    const before = this.#active
    const { living } = hubs
    const isSame = living === this.#living
    this.#living = living
    this.#active = toMap(await store.activeElsewhere())
    for (const [id, lastSeq] of this.#active)
      if (!isSame || before.get(id) !== lastSeq) this.#announce(id)
    for (const id of before.keys()) if (!this.#active.has(id)) this.#announce(id)
  }

  async #lookAtAll(): Promise<void> {
    const before = this.#changed
    const withinMs = LOOK_AT_ALL_MS + CLOCKS_MS
    this.#changed = toMap(await this.#deps.store.changedElsewhere(withinMs))
    for (const [id, lastSeq] of this.#changed) if (before.get(id) !== lastSeq) this.#announce(id)
  }
}

function toMap(hints: readonly Hint[]): Map<string, number> {
  return new Map(hints.map(({ sessionId, lastSeq }) => [sessionId, lastSeq]))
}
