// One reader of one terminal: a cursor in bytes, and the output after it that was not taken yet.
import type { TerminalExit, TerminalPiece } from '@quayside/protocol'
import type { HubError } from './hub-error.js'

export type TerminalEvent =
  /** `skippedBytes` are lost before it: the hub keeps the last mebibyte. `next` is where to go on from. */
  | ({ readonly type: 'output' } & TerminalPiece)
  /** The last one; `exit` is null when nobody knows how it ended. */
  | { readonly type: 'exited'; readonly exit: TerminalExit | null }

/** A reader that falls behind further than this is sent the rest when it has caught up. */
const MAX_WAITING_CHARACTERS = 1024 * 1024

export class TerminalFollower {
  readonly #onCaughtUp: () => void
  #cursor: number
  #waiting: TerminalEvent[] = []
  #waitingCharacters = 0
  #isFull = false
  #end: { readonly error?: HubError } | undefined
  #isStopped = false
  #wake = () => {}

  constructor(after: number, onCaughtUp: () => void) {
    this.#cursor = after
    this.#onCaughtUp = onCaughtUp
  }

  /** Where the output that arrived ends. */
  get cursor(): number {
    return this.#cursor
  }

  /** True while it takes nothing because it has too much already. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** Takes the next piece. Returns false when it does not continue what came before. */
  accept({ offset, next, data, skippedBytes }: TerminalPiece): boolean {
    if (this.#isFull) return true
    if (offset - skippedBytes !== this.#cursor) return false
    this.#cursor = next
    this.#waiting.push({ type: 'output', offset, next, data, skippedBytes })
    this.#waitingCharacters += data.length
    this.#isFull = this.#waitingCharacters >= MAX_WAITING_CHARACTERS
    this.#wake()
    return true
  }

  /** Its program has ended, and all output has come. */
  exit(exit: TerminalExit | null): void {
    if (this.#isFull) return
    this.#waiting.push({ type: 'exited', exit })
    this.end()
  }

  end(error?: HubError): void {
    this.#end ??= error ? { error } : {}
    this.#wake()
  }

  /** Ends it without what is still waiting. */
  stop(): void {
    this.#isStopped = true
    this.end()
  }

  /** Everything that arrives, until the follower is ended; then its error, if it has one, is thrown. */
  async *events(): AsyncGenerator<TerminalEvent, void, undefined> {
    for (;;) {
      const batch = this.#waiting
      this.#waiting = []
      this.#waitingCharacters = 0
      for (const event of batch) {
        if (this.#isStopped) return
        yield event
      }
      if (this.#waiting.length > 0) continue
      if (this.#end?.error) throw this.#end.error
      if (this.#end) return
      if (this.#isFull) {
        this.#isFull = false
        this.#onCaughtUp()
      }
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}
