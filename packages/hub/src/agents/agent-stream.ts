// The pipe between an agent and the ACP SDK: updates leave it in wire order, only requests and responses reach the SDK.
import { setImmediate } from 'node:timers/promises'
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'
import type { Log } from '../log.js'
import type { AgentChild } from './agent-child.js'
import { type Frame, isObject, type JsonObject, LineSplitter, parseLine } from './frames.js'

const JUNK_LINES_LOGGED = 20

/**
 * Connects a child's stdio to the SDK.
 *
 * The SDK runs its handlers concurrently: a response could overtake the updates written before it. So updates
 * are taken out here, synchronously, and any other message waits a turn of the loop for its handler to begin.
 */
export class AgentStream {
  readonly stream: Stream
  readonly #child: AgentChild
  readonly #log: Log
  readonly #onUpdate: (params: JsonObject) => void
  readonly #sent = new Set<number>()
  #toSdk: ReadableStreamDefaultController<AnyMessage> | undefined
  #junkLines = 0

  constructor(child: AgentChild, log: Log, onUpdate: (params: JsonObject) => void) {
    this.#child = child
    this.#log = log
    this.#onUpdate = onUpdate
    this.stream = {
      readable: new ReadableStream({ start: (controller) => (this.#toSdk = controller) }),
      writable: new WritableStream({ write: (message) => this.#send(message) }),
    }
  }

  /** Reads until the agent closes its stdout; then the SDK rejects what still waits. */
  async read(): Promise<void> {
    const lines = new LineSplitter()
    try {
      for await (const chunk of this.#child.stdout) {
        for (const line of lines.push(chunk as Buffer)) await this.#receiveLine(line)
        // One chunk per turn of the loop: an agent that floods leaves room for its neighbours.
        await setImmediate()
      }
      for (const line of lines.end()) await this.#receiveLine(line)
    } finally {
      this.#toSdk?.close()
    }
  }

  async #receiveLine(line: { text: string; tooLong: boolean }): Promise<void> {
    for (const frame of parseLine(line)) {
      if (frame.is === 'notification' && frame.method === 'session/update') {
        if (isObject(frame.message['params'])) this.#onUpdate(frame.message['params'])
        continue
      }
      if (this.#passOn(frame)) await setImmediate()
    }
  }

  #passOn(frame: Frame): boolean {
    if (frame.is === 'junk') {
      this.#countJunk(frame.reason, frame.text)
      return false
    }
    const message = frame.is === 'response' ? this.#matchResponse(frame.message) : frame.message
    if (message === undefined) return false
    this.#toSdk?.enqueue({ jsonrpc: '2.0', ...message } as AnyMessage)
    return true
  }

  /** Some agents answer our numeric id as a string; an answer to nothing we asked is dropped. */
  #matchResponse(message: JsonObject): JsonObject | undefined {
    const { id, error, ...rest } = message
    const number = typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : id
    if (typeof number !== 'number' || !this.#sent.delete(number)) {
      this.#countJunk('an answer to no request of ours', JSON.stringify(id))
      return undefined
    }
    return error === null || error === undefined ? { ...rest, id: number } : { id: number, error }
  }

  #countJunk(reason: string, text: string): void {
    this.#junkLines += 1
    if (this.#junkLines <= JUNK_LINES_LOGGED)
      this.#log.warn({ reason, text, count: this.#junkLines }, 'the agent wrote something odd')
  }

  async #send(message: AnyMessage): Promise<void> {
    if ('method' in message && 'id' in message && typeof message.id === 'number')
      this.#sent.add(message.id)
    const { stdin } = this.#child
    await new Promise<void>((resolve, reject) =>
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve())),
    )
  }
}
