// The pipe between an agent and the ACP SDK. Hands over updates in wire order; only requests and responses reach the SDK.
import { setImmediate } from 'node:timers/promises'
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'
import type { Log } from '../../log.js'
import type { AgentChild } from '../../process/agent-child.js'
import { ChunkLines } from '../wire/chunk-lines.js'
import { isObject, type JsonObject } from '../../json.js'
import {
  classify,
  type Frame,
  limitDepth,
  type Line,
  LineSplitter,
  parseLine,
} from '../wire/frames.js'
import type { Redactor } from '../wire/redact/redact.js'
import type { ProcessWire } from '../wire/log/wire-log.js'

const JUNK_LINES_LOGGED = 20
/** Each step of reading a longer line has an event-loop tick of its own. */
const LONG_LINE_CHARS = 1024 * 1024
/** With JSON-RPC's code for an internal error. */
const NO_ANSWER = { code: -32_603, message: 'a response with neither a result nor an error' }

export type AgentStreamDeps = {
  readonly wire: ProcessWire
  readonly redactor: Redactor
  readonly log: Log
  /** Receives the params of each `session/update`, in wire order. `chunks` text chunks may be joined into one update. */
  readonly onUpdate: (params: JsonObject, chunks: number) => void
  /** Asked after each read. The agent is not read until it resolves, so that it does not outrun the store. */
  readonly whenRoom: () => Promise<unknown> | undefined
  /** False for an agent whose quirks need each chunk separately. */
  readonly joinsChunks: boolean
  /** Receives each message first, and returns the message to use instead. Undefined drops it. */
  readonly onMessage?: (message: JsonObject) => JsonObject | undefined
  /** A line over the cap was skipped. */
  readonly onTooLong: () => void
}

/**
 * Connects a child's stdio to the SDK.
 *
 * The SDK runs its handlers concurrently: a response could overtake the updates written before it. So updates
 * are handled here, synchronously, and any other message waits one event-loop tick for its handler to begin.
 */
export class AgentStream {
  readonly stream: Stream
  readonly #child: AgentChild
  readonly #log: Log
  readonly #onUpdate: AgentStreamDeps['onUpdate']
  readonly #whenRoom: AgentStreamDeps['whenRoom']
  readonly #onTooLong: () => void
  readonly #onMessage: AgentStreamDeps['onMessage']
  readonly #wire: ProcessWire
  readonly #redactor: Redactor
  readonly #sent = new Set<number>()
  readonly #chunks: ChunkLines | undefined
  #toSdk: ReadableStreamDefaultController<AnyMessage> | undefined
  #junkLines = 0
  #lastFrameAt: number | undefined

  constructor(child: AgentChild, deps: AgentStreamDeps) {
    this.#child = child
    this.#log = deps.log
    this.#wire = deps.wire
    this.#redactor = deps.redactor
    this.#onUpdate = deps.onUpdate
    this.#whenRoom = deps.whenRoom
    this.#onTooLong = deps.onTooLong
    this.#onMessage = deps.onMessage
    this.#chunks = deps.joinsChunks && !deps.onMessage ? new ChunkLines(deps.onUpdate) : undefined
    this.stream = {
      readable: new ReadableStream({
        start: (controller) => (this.#toSdk = controller),
        cancel: () => (this.#toSdk = undefined),
      }),
      writable: new WritableStream({ write: (message) => this.#send(message) }),
    }
  }

  /** When the agent wrote its last frame, by the monotonic clock. */
  get lastFrameAt(): number | undefined {
    return this.#lastFrameAt
  }

  /** Reads until the agent closes its stdout; then the SDK rejects open requests. */
  async read(): Promise<void> {
    const lines = new LineSplitter()
    try {
      for await (const chunk of this.#child.stdout) {
        this.#lastFrameAt = performance.now()
        await this.#receiveLines(lines.push(chunk as Buffer))
        await this.#whenRoom()
        // One chunk per event-loop tick, so that a flood from one agent does not starve the others.
        await setImmediate()
      }
      await this.#receiveLines(lines.end())
    } finally {
      this.#toSdk?.close()
    }
  }

  /** Does not await between short updates, for speed: they are most of an agent's output. */
  async #receiveLines(lines: readonly Line[]): Promise<void> {
    for (const line of lines) {
      const isLong = line.text.length > LONG_LINE_CHARS
      if (isLong) await setImmediate()
      this.#wire.in(line.text)
      if (isLong) await setImmediate()
      if (this.#chunks?.join(line.text)) continue
      if (line.tooLong) this.#onTooLong()
      const frames = parseLine(line)
      if (isLong) await setImmediate()
      for (const frame of frames) {
        const passed = this.#applyHook(frame)
        if (passed && this.#dispatch(passed, line)) await setImmediate()
      }
    }
    this.#chunks?.flush()
  }

  #applyHook(frame: Frame): Frame | undefined {
    if (this.#onMessage === undefined || frame.is === 'junk') return frame
    const message = this.#onMessage(frame.message)
    return message && classify(message, '')
  }

  /** True when the SDK received the frame and must begin to handle it before the next is read. */
  #dispatch(frame: Frame, line: Line): boolean {
    if (frame.is !== 'notification' || frame.method !== 'session/update')
      return this.#forwardToSdk(frame)
    this.#chunks?.learn(line.text, frame.message)
    const { params } = frame.message
    if (isObject(params)) this.#onUpdate(params, 1)
    return false
  }

  #forwardToSdk(frame: Frame): boolean {
    const message = this.#messageOf(frame)
    if (message === undefined) return false
    const depthLimited = limitDepth(message) as JsonObject
    this.#toSdk?.enqueue({ ...depthLimited, jsonrpc: '2.0' } as AnyMessage)
    return true
  }

  #messageOf(frame: Frame): JsonObject | undefined {
    if (frame.is === 'response') return this.#matchResponse(frame.message)
    if (frame.is !== 'junk') return frame.message
    this.#countJunk(frame.reason, frame.text)
    return frame.id === undefined
      ? undefined
      : this.#matchResponse({ id: frame.id, error: NO_ANSWER })
  }

  /** Some agents answer a numeric id as a string. Responses without a request are dropped. */
  #matchResponse(message: JsonObject): JsonObject | undefined {
    const { id, error, ...rest } = message
    const number = typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : id
    if (typeof number !== 'number' || !this.#sent.delete(number)) {
      this.#countJunk('a response without a request', describeId(id))
      return undefined
    }
    return error === null || error === undefined ? { ...rest, id: number } : { id: number, error }
  }

  #countJunk(reason: string, text: string): void {
    this.#junkLines += 1
    if (this.#junkLines > JUNK_LINES_LOGGED) return
    const odd = { reason, text: this.#redactor.redact(text), count: this.#junkLines }
    this.#log.warn(odd, 'the agent wrote a faulty message')
  }

  async #send(message: AnyMessage): Promise<void> {
    if ('method' in message && 'id' in message && typeof message.id === 'number')
      this.#sent.add(message.id)
    const line = JSON.stringify(message)
    this.#wire.out(line)
    const { stdin } = this.#child
    await new Promise<void>((resolve, reject) =>
      stdin.write(`${line}\n`, (error) => (error ? reject(error) : resolve())),
    )
  }
}

/** The id is unchecked input, and may be nested too deeply to be serialised. */
function describeId(id: unknown): string {
  return typeof id === 'number' || typeof id === 'string' ? String(id).slice(0, 100) : typeof id
}
