// What an agent's command prints: read from its pipe into a bounded tail, and followed live by people who watch.
import type { Socket } from 'node:net'
import type { Log } from '../log.js'
import { LiveOutput } from './live-output.js'
import type { OutputTail } from './output-tail.js'

export class TerminalOutput {
  /** Resolves when every process that held the pipe has gone, or after `close`. */
  readonly ended: Promise<void>
  readonly live: LiveOutput
  readonly #reader: Socket

  constructor(reader: Socket, limitBytes: number, log: Log) {
    this.#reader = reader
    this.live = new LiveOutput(limitBytes)
    reader.on('data', (chunk: Buffer) => this.live.push(chunk))
    reader.on('error', (error) => log.warn({ err: error }, 'terminal output cannot be read'))
    this.ended = new Promise((resolve) => {
      reader.once('close', () => {
        this.live.end()
        resolve()
      })
    })
  }

  get tail(): OutputTail {
    return this.live.tail
  }

  /** Stops reading, whoever still writes. */
  async close(): Promise<void> {
    this.#reader.destroy()
    await this.ended
  }
}
