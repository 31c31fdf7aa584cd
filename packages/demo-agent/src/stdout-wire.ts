// The one way to stdout. The SDK writes its messages through `sink()`, and words that need bytes the SDK
// would never write use `write()`: both keep the order of their calls, and both wait for a slow reader.
import type { JsonRpcId } from '@agentclientprotocol/sdk'
import type { Writable } from 'node:stream'
import { z } from 'zod'

const lineSchema = z.looseObject({ id: z.unknown().optional(), method: z.string().optional() })

interface Hold {
  readonly requestId: JsonRpcId
  readonly lines: Uint8Array[]
}

export class StdoutWire {
  #hold: Hold | undefined

  constructor(private readonly output: Writable) {}

  /** Resolves when the bytes have left this process. */
  write(bytes: string | Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.output.write(bytes, (error) => (error ? reject(error) : resolve()))
    })
  }

  /** Keeps back what the SDK writes until the response to `requestId`, then writes all of it at once. */
  holdUntilResponse(requestId: JsonRpcId) {
    this.#hold ??= { requestId, lines: [] }
  }

  /** What the SDK writes to; it hands over one whole line at a time. */
  sink(): WritableStream<Uint8Array> {
    return new WritableStream({ write: (line) => this.#writeLine(line) })
  }

  async #writeLine(line: Uint8Array) {
    const hold = this.#hold
    if (!hold) return this.write(line)
    hold.lines.push(line)
    if (!isResponseTo(hold.requestId, line)) return
    this.#hold = undefined
    return this.write(Buffer.concat(hold.lines))
  }
}

function isResponseTo(requestId: JsonRpcId, line: Uint8Array): boolean {
  const message = lineSchema.parse(JSON.parse(Buffer.from(line).toString('utf8')))
  return message.method === undefined && message.id === requestId
}
