// What a terminal prints: read from its pipe into a bounded tail, and followed live by people who watch.
import type { Socket } from 'node:net'
import type { Log } from '../log.js'
import { type OutputPiece, OutputTail } from './output-tail.js'

export class TerminalOutput {
  /** Resolves when every process that held the pipe has gone, or after `close`. */
  readonly ended: Promise<void>
  readonly tail: OutputTail
  readonly #reader: Socket
  readonly #bells = new Set<() => void>()
  #hasEnded = false

  constructor(reader: Socket, limitBytes: number, log: Log) {
    this.#reader = reader
    this.tail = new OutputTail(limitBytes)
    reader.on('data', (chunk: Buffer) => {
      this.tail.push(chunk)
      this.#ring()
    })
    reader.on('error', (error) => log.warn({ err: error }, 'terminal output cannot be read'))
    this.ended = new Promise((resolve) => {
      reader.once('close', () => {
        this.tail.end()
        this.#hasEnded = true
        this.#ring()
        resolve()
      })
    })
  }

  /** Stops reading, whoever still writes. */
  async close(): Promise<void> {
    this.#reader.destroy()
    await this.ended
  }

  /**
   * Everything kept so far, then what comes, until the output ends or `signal` aborts. A cursor and no queue:
   * who reads slower than the command prints finds that bytes were skipped.
   */
  async *follow(signal: AbortSignal): AsyncGenerator<OutputPiece, void> {
    let offset = 0
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
