// Port: which media files are used, and by which session.
// Synchronous: an agent's updates are processed in wire order, and each needs the address of its media.

export type MediaUseInput = {
  readonly sha256: string
  /** Null for media that belong to no session. */
  readonly sessionId: string | null
  readonly mimeType: string
  readonly byteLength: number
}

export type MediaFacts = Omit<MediaUseInput, 'sessionId'>

export type MediaIndex = {
  /** Durable when it returns. The same bytes and type in the same session have one id. */
  add(use: MediaUseInput): string
  find(id: string): MediaFacts | undefined
  isUsed(sha256: string): boolean
}
