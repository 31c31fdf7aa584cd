// Removes one ended session: marks it while it is certainly ended, removes its rows in small steps, then its kept work tree,
// the session itself and the files that no session uses. A mark that a crash left is found at the next start.
import { rmSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { mediaPath } from '../../store/data-files.js'
import { type DiskPart, measurePath } from '../../store/disk-use.js'
import { isPromise, type MaybePromise, whenReady } from '../../store/maybe-promise.js'
import { storageFailed } from '../../store/storage-error.js'
import type { Store } from '../../store/store.js'
import type { RemovalCondition, RowsSize, SessionPart } from '../../store/upkeep-store.js'

export type Removed = {
  readonly id: string
  readonly events: number
  readonly messages: number
  /** Of the events' data and the messages' content. */
  readonly bytes: number
  readonly media: DiskPart
  /** Kept to compare the session's changes with. */
  readonly workTree: DiskPart
}

/** Kept under a reference for as long as the session is kept. */
export type DiscardedWork = { readonly reference: string; forget(): Promise<void> }

export type RemovalOptions = {
  readonly store: Pick<Store, 'upkeep' | 'media'>
  readonly mediaFolder: string
  /** Holds a folder for each session's work tree, named by its id. */
  readonly snapshotsFolder: string
  /** True for a session that is live or about to be; its row may not be updated yet. */
  isInUse(sessionId: string): boolean
  /** True for work in the session's own work tree that its base does not have. */
  readonly hasUnsavedWork?: (sessionId: string) => Promise<boolean>
  /** The work of the session that somebody discarded before. */
  readonly findDiscarded?: (sessionId: string) => Promise<DiscardedWork | undefined>
  /** Removes the session's own work tree. */
  releaseWorkspace?(sessionId: string): Promise<void>
  /** Called when its row is gone. */
  onRemoved?(sessionId: string): void
}

export class SessionRemoval {
  readonly #options: RemovalOptions
  readonly #store: RemovalOptions['store']
  /** Also those that are gone: a caller that read the row a moment ago must not act on it. */
  readonly #removed = new Set<string>()
  readonly #working = new Set<string>()

  constructor(options: RemovalOptions) {
    this.#options = options
    this.#store = options.store
  }

  /** True as long as its removal is under way or done. Such a session must not be resumed or changed. */
  isRemoved(sessionId: string): boolean {
    return this.#removed.has(sessionId)
  }

  /** Undefined when the session must stay. Throws `storage_failed`; `finish` continues later. */
  async remove(sessionId: string, condition: RemovalCondition = {}): Promise<Removed | undefined> {
    return (await this.#mark(sessionId, condition)) ? this.#removeMarked(sessionId) : undefined
  }

  /** Continues removals that a crash or a full disk interrupted. With SQLite these sessions count as removed when it returns. */
  async finish(): Promise<Removed[]> {
    const found = this.#store.upkeep.marked()
    const marked = isPromise(found) ? await found : found
    const interrupted = marked.filter((id) => !this.#working.has(id))
    for (const id of interrupted) this.#removed.add(id)
    const removed: Removed[] = []
    for (const id of interrupted) removed.push(await this.#removeMarked(id))
    return removed
  }

  /** Removes the file unless a row refers to it, and returns its size. In the step that has the answer, so that no `put` comes in between. */
  removeFileIfUnused(sha256: string): MaybePromise<number | undefined> {
    return whenReady(this.#store.media.isUsed(sha256), (isUsed) => {
      if (isUsed) return undefined
      const path = mediaPath(this.#options.mediaFolder, sha256)
      const found = statSync(path, { throwIfNoEntry: false })
      rmSync(path, { force: true })
      return whenReady(this.#store.media.removeUnused(sha256), () => found?.size)
    })
  }

  async #mark(sessionId: string, condition: RemovalCondition): Promise<boolean> {
    if (this.#removed.has(sessionId) || this.#options.isInUse(sessionId)) return false
    // Before the row says so, in the step that asked `isInUse`: from here on the session cannot be resumed.
    this.#removed.add(sessionId)
    let isMarked = false
    try {
      isMarked = await this.#store.upkeep.mark(sessionId, condition)
      return isMarked
    } finally {
      if (!isMarked) this.#removed.delete(sessionId)
    }
  }

  async #removeMarked(id: string): Promise<Removed> {
    this.#working.add(id)
    try {
      // Events that were appended before the mark are committed by then, and are removed too.
      await setImmediate()
      const events = await this.#removeRows('events', id)
      const messages = await this.#removeRows('messages', id)
      const checkpoints = await this.#removeRows('checkpoints', id)
      await this.#options.releaseWorkspace?.(id)
      // Before its row: as long as that is marked, a removal that a crash interrupts is found again.
      const workTree = await this.#removeWorkTree(id)
      const hashes = await this.#store.upkeep.removeSession(id)
      this.#options.onRemoved?.(id)
      const media = await this.#removeFiles(hashes)
      const bytes = events.bytes + messages.bytes + checkpoints.bytes
      return { id, events: events.count, messages: messages.count, bytes, media, workTree }
    } catch (error) {
      throw storageFailed(error, { sessionId: id })
    } finally {
      this.#working.delete(id)
    }
  }

  async #removeRows(part: SessionPart, id: string): Promise<RowsSize> {
    const sum = { count: 0, bytes: 0 }
    for (;;) {
      const startedAt = performance.now()
      const step = await this.#store.upkeep.removeRows(part, id)
      if (step === undefined) {
        this.#removed.delete(id)
        throw new Error(`session ${id} became active while it was removed`)
      }
      if (step.count === 0) return sum
      sum.count += step.count
      sum.bytes += step.bytes
      // Half of the time belongs to the sessions that run.
      await setTimeout(performance.now() - startedAt)
    }
  }

  async #removeWorkTree(id: string): Promise<DiskPart> {
    const folder = join(this.#options.snapshotsFolder, id)
    const size = await measurePath(folder)
    // A snapshot that was begun before the session ended may still be written.
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    return size
  }

  async #removeFiles(hashes: readonly string[]): Promise<Removed['media']> {
    let files = 0
    let bytes = 0
    for (const sha256 of hashes) {
      const size = await this.#removeFileAfterRow(sha256)
      files += size === undefined ? 0 : 1
      bytes += size ?? 0
      await setTimeout(0)
    }
    return { files, bytes }
  }

  async #removeFileAfterRow(sha256: string): Promise<number | undefined> {
    try {
      return await this.removeFileIfUnused(sha256)
    } catch {
      // The session is gone; the next cleaning finds the file as one without a row.
      return undefined
    }
  }
}
