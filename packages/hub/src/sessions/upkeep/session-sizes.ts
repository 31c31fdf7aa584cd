// Measures sessions: their events and messages in bytes, and the media that no other session uses. Reads in small steps,
// so that the event loop is not blocked.
import { setImmediate } from 'node:timers/promises'
import type { MaybePromise } from '../../store/maybe-promise.js'
import type {
  MediaUse,
  RowsSize,
  SessionPart,
  Step,
  StepKey,
  StoredSession,
  UpkeepStore,
} from '../../store/upkeep-store.js'

export type SessionSize = {
  readonly events: number
  readonly messages: number
  /** Of the events' data and the messages' content. */
  readonly bytes: number
}

export class SessionSizes {
  readonly #store: UpkeepStore

  constructor(store: UpkeepStore) {
    this.#store = store
  }

  async sessions(): Promise<StoredSession[]> {
    const all: StoredSession[] = []
    for await (const { rows } of stepsOf((after) => this.#store.sessions(after))) all.push(...rows)
    return all
  }

  async sizeOf(sessionId: string): Promise<SessionSize> {
    const events = await this.#sum('events', sessionId)
    const messages = await this.#sum('messages', sessionId)
    const checkpoints = await this.#sum('checkpoints', sessionId)
    const bytes = events.bytes + messages.bytes + checkpoints.bytes
    return { events: events.count, messages: messages.count, bytes }
  }

  async media(): Promise<MediaUses> {
    const uses = new MediaUses()
    for await (const { rows } of stepsOf((after) => this.#store.mediaUses(after)))
      for (const use of rows) uses.add(use)
    return uses
  }

  async #sum(part: SessionPart, sessionId: string): Promise<RowsSize> {
    const sum = { count: 0, bytes: 0 }
    const measure = (after?: StepKey) => this.#store.measure(part, sessionId, after)
    for await (const { count, bytes } of stepsOf(measure)) {
      sum.count += count
      sum.bytes += bytes
    }
    return sum
  }
}

/** Yields to other work between two steps. */
async function* stepsOf<T>(
  read: (after?: StepKey) => MaybePromise<Step<T>>,
): AsyncGenerator<Step<T>> {
  for (let after: StepKey | undefined; ;) {
    const step: Step<T> = await read(after)
    yield step
    after = step.next
    if (after === undefined) return
    await setImmediate()
  }
}

/** The sessions that use each file. A file is free when the last of them is released. */
class MediaUses {
  readonly #users = new Map<string, { readonly bytes: number; readonly sessions: Set<string> }>()
  readonly #hashes = new Map<string, Set<string>>()

  add({ sha256, sessionId, byteLength }: MediaUse): void {
    // Media of no session have a user that is never released.
    const user = sessionId ?? ''
    const file = this.#users.get(sha256) ?? { bytes: byteLength, sessions: new Set() }
    this.#users.set(sha256, file)
    file.sessions.add(user)
    const hashes = this.#hashes.get(user) ?? new Set()
    this.#hashes.set(user, hashes)
    hashes.add(sha256)
  }

  get totalBytes(): number {
    return [...this.#users.values()].reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Removes a session and returns the files that are unused now. */
  release(sessionId: string): { files: number; bytes: number } {
    let files = 0
    let bytes = 0
    for (const sha256 of this.#hashes.get(sessionId) ?? []) {
      const file = this.#users.get(sha256)
      file?.sessions.delete(sessionId)
      if (file === undefined || file.sessions.size > 0) continue
      files += 1
      bytes += file.bytes
      this.#users.delete(sha256)
    }
    this.#hashes.delete(sessionId)
    return { files, bytes }
  }
}
