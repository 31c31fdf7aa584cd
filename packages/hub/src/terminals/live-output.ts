// A growing output with a bounded tail. Each reader has its own cursor.
import { type OutputPiece, OutputTail } from './output-tail.js'

export class LiveOutput {
  readonly tail: OutputTail
  readonly #bells = new Set<() => void>()
  #hasEnded = false

  constructor(limitBytes: number) {
    this.tail = new OutputTail(limitBytes)
  }

  push(chunk: Buffer): void {
    this.tail.push(chunk)
    this.#ring()
  }

  end(): void {
    this.tail.end()
    this.#hasEnded = true
    this.#ring()
  }

  /**
   * Yields the kept output after an offset, then new output, until the output ends or `signal` aborts. There is no queue:
   * a reader that is too slow gets a gap, with the number of skipped bytes.
   */
  async *follow(signal: AbortSignal, after = 0): AsyncGenerator<OutputPiece, void> {
    let offset = Math.min(after, this.tail.totalBytes)
    while (!signal.aborted) {
      const piece = this.tail.readAfter(offset)
      if (piece !== undefined) {
        offset = piece.next
        yield piece
      } else if (this.#hasEnded) {
        return
      } else {
        await this.#nextChange(signal)
      }
    }
  }

  #nextChange(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#bells.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#bells.add(wake)
      signal.addEventListener('abort', wake)
    })
  }

  #ring(): void {
    for (const wake of this.#bells) wake()
  }
}
