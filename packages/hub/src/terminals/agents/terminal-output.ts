// The output of an agent's command: read from its pipe into a bounded tail, which clients can follow.
import type { Socket } from 'node:net'
import type { Log } from '../../log.js'
import { LiveOutput } from '../live-output.js'
import type { OutputTail } from '../output-tail.js'

export class TerminalOutput {
  /** Resolves when every process that held the pipe has exited, or after `close`. */
  readonly ended: Promise<void>
  readonly live: LiveOutput
  readonly #reader: Socket

  constructor(reader: Socket, limitBytes: number, log: Log) {
    this.#reader = reader
    this.live = new LiveOutput(limitBytes)
    reader.on('data', (chunk: Buffer) => this.live.push(chunk))
    reader.on('error', (error) =>
      log.warn({ err: error }, 'could not read the output of a terminal'),
    )
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

  /** Stops reading, even if a process still writes. */
  async close(): Promise<void> {
    this.#reader.destroy()
    await this.ended
  }
}
