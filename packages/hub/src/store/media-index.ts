// Port: which media files are used, and by which session. An engine that several hubs share also stores their bytes.
import type { MaybePromise } from './maybe-promise.js'

export type MediaUseInput = {
  readonly sha256: string
  /** Null for media that belong to no session. */
  readonly sessionId: string | null
  readonly mimeType: string
  readonly byteLength: number
}

export type MediaFacts = Omit<MediaUseInput, 'sessionId'>

export type MediaIndex = {
  /**
   * Stored before any later commit of the event store. The same bytes and type in the same session have one id. `path` is the file with the bytes.
   * Synchronous: an agent's updates are processed in wire order, and each needs the address of its media.
   */
  add(use: MediaUseInput, path: string): string
  /** Returns when everything that was added is stored. */
  flush(): MaybePromise<void>
  find(id: string): MaybePromise<MediaFacts | undefined>
  /** The bytes that another hub has stored. Undefined when the engine stores none, or not these. */
  load(sha256: string): MaybePromise<Uint8Array | undefined>
  isUsed(sha256: string): MaybePromise<boolean>
  /** Removes stored bytes that have no use. */
  removeUnused(sha256: string): MaybePromise<void>
}
