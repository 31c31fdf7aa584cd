// The only writer of stdout. The SDK writes its messages through `sink()`; words that need bytes the SDK
// would never write use `write()`. Both keep the order of their calls and wait for a slow reader.
import type { JsonRpcId } from '@agentclientprotocol/sdk'
import type { Writable } from 'node:stream'
import { z } from 'zod'

const lineSchema = z.looseObject({
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string().optional(),
})

interface Hold {
  readonly requestId: JsonRpcId
  readonly lines: Uint8Array[]
}

export class StdoutWire {
  #hold: Hold | undefined
  readonly #taken = new Map<JsonRpcId, (line: string) => Promise<void>>()
  #lastWrite: Promise<void> = Promise.resolve()

  constructor(private readonly output: Writable) {}

  /** Resolves when the bytes have left this process. */
  async write(bytes: string | Uint8Array) {
    return this.#inTurn(() => this.#writeNow(bytes))
  }

  /** One write per piece, as the pieces arrive, with no other output between them. */
  async writeInPieces(pieces: AsyncIterable<Uint8Array>) {
    return this.#inTurn(async () => {
      for await (const piece of pieces) await this.#writeNow(piece)
    })
  }

  /** Holds the SDK's output back until the response to `requestId`, then writes all of it at once. */
  holdUntilResponse(requestId: JsonRpcId) {
    this.#hold ??= { requestId, lines: [] }
  }

  /** Passes the SDK's response line for `requestId` to `write` instead of writing it. */
  takeResponse(requestId: JsonRpcId, write: (line: string) => Promise<void>) {
    this.#taken.set(requestId, write)
  }

  /** The SDK's output stream; the SDK writes one whole line at a time. */
  sink(): WritableStream<Uint8Array> {
    return new WritableStream({ write: (line) => this.#writeLine(line) })
  }

  async #writeLine(line: Uint8Array) {
    const hold = this.#hold
    if (!hold && this.#taken.size === 0) return this.write(line)
    const text = Buffer.from(line).toString('utf8')
    const requestId = answeredRequest(text)
    const taken = requestId === undefined ? undefined : this.#takeAway(requestId)
    if (taken) return taken(text)
    if (!hold) return this.write(line)
    hold.lines.push(line)
    if (requestId !== hold.requestId) return
    this.#hold = undefined
    return this.write(Buffer.concat(hold.lines))
  }

  #takeAway(requestId: JsonRpcId) {
    const taken = this.#taken.get(requestId)
    this.#taken.delete(requestId)
    return taken
  }

  async #inTurn(write: () => Promise<void>) {
    const written = this.#lastWrite.then(write)
    this.#lastWrite = written.catch(() => {})
    return written
  }

  #writeNow(bytes: string | Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.output.write(bytes, (error) => (error ? reject(error) : resolve()))
    })
  }
}

/** The id of the request this line is the response to, if it is one. */
function answeredRequest(line: string): JsonRpcId | undefined {
  const { id, method } = lineSchema.parse(JSON.parse(line))
  return method === undefined ? id : undefined
}
