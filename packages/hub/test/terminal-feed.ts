// A client of people's terminals over a real WebSocket. Checks that no byte is missing or doubled without notice.
import type { TerminalExit, TerminalPiece } from '@quayside/protocol'
import type { WebSocket } from 'ws'
import { openSocket, type RpcAnswer } from './test-feed.js'

type Seen = {
  text: string
  next: number
  skippedBytes: number
  exit: TerminalExit | null | undefined
}
type Notification = {
  readonly method?: string
  readonly params?: { terminalId: string; exit: TerminalExit | null } & TerminalPiece
}

/** Enough to search; a flood is longer. */
const KEPT_CHARACTERS = 2_000_000
const DEADLINE_MS = 50_000
const SHOWN_CHARACTERS = 500

export class TerminalFeed {
  readonly #socket: WebSocket
  readonly #answers = new Map<number, (answer: RpcAnswer) => void>()
  readonly #seen = new Map<string, Seen>()
  readonly #bells = new Set<() => void>()
  #nextId = 1

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data: Buffer) => this.#receive(JSON.parse(data.toString())))
    socket.once('close', () => this.#ring())
  }

  static async open(address: string): Promise<TerminalFeed> {
    return new TerminalFeed(await openSocket(address))
  }

  call(method: string, params: unknown): Promise<RpcAnswer> {
    const id = this.#nextId++
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    return new Promise((resolve) => this.#answers.set(id, resolve))
  }

  async follow(terminalId: string, after = 0): Promise<void> {
    const fresh = { text: '', next: after, skippedBytes: 0, exit: undefined }
    this.#seen.set(terminalId, fresh)
    const { error } = await this.call('terminal/follow', { terminalId, after })
    if (error) throw new Error(error.message)
  }

  /** A terminal of a session's agent. */
  async watch(sessionId: string, terminalId: string, after = 0): Promise<void> {
    this.#seen.set(terminalId, { text: '', next: after, skippedBytes: 0, exit: undefined })
    const { error } = await this.call('terminal/watch', { sessionId, terminalId, after })
    if (error) throw new Error(error.message)
  }

  async type(terminalId: string, data: string): Promise<void> {
    const { error } = await this.call('terminal/input', { terminalId, data })
    if (error) throw new Error(error.message)
  }

  seen(terminalId: string): Seen {
    return this.#seen.get(terminalId)!
  }

  /** The first match of the pattern in the output, now or later. */
  async until(terminalId: string, pattern: RegExp): Promise<RegExpExecArray> {
    const isSeen = () => pattern.test(this.seen(terminalId).text)
    await this.untilTrue(Object.assign(isSeen, { toString: () => String(pattern) }))
    return pattern.exec(this.seen(terminalId).text)!
  }

  async exited(terminalId: string): Promise<TerminalExit | null> {
    await this.untilTrue(() => this.seen(terminalId).exit !== undefined)
    return this.seen(terminalId).exit ?? null
  }

  /** Checked again after each message. Rejects with the output when the connection closes or the deadline passes. */
  async untilTrue(isTrue: () => boolean): Promise<void> {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      this.#ring()
    }, DEADLINE_MS)
    try {
      while (!isTrue()) {
        if (isLate) throw new Error(`not within ${DEADLINE_MS} ms: ${this.#describe(isTrue)}`)
        if (this.#socket.readyState > this.#socket.OPEN)
          throw new Error(`the connection has closed: ${this.#describe(isTrue)}`)
        await new Promise<void>((resolve) => this.#bells.add(resolve))
      }
    } finally {
      clearTimeout(timer)
    }
  }

  /** Stops reading from the network. */
  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  close(): void {
    this.#socket.terminate()
  }

  #receive(message: RpcAnswer & Notification): void {
    if (message.id !== undefined) this.#answers.get(message.id)?.(message)
    const { method, params } = message
    const seen = params && this.#seen.get(params.terminalId)
    if (seen && method === 'terminal/exited') seen.exit = params.exit
    if (seen && method === 'terminal/output') add(seen, params)
    this.#ring()
  }

  #ring(): void {
    for (const ring of this.#bells) ring()
    this.#bells.clear()
  }

  #describe(isTrue: () => boolean): string {
    const seen = [...this.#seen].map(([id, { text, next, exit }]) => {
      const end = JSON.stringify(text.slice(-SHOWN_CHARACTERS))
      return `${id} at ${next}, exit ${JSON.stringify(exit)}, last ${end}`
    })
    return `${isTrue.toString()}; seen: ${seen.join('; ')}`
  }
}

function add(seen: Seen, { offset, next, data, skippedBytes }: TerminalPiece): void {
  if (offset !== seen.next + skippedBytes)
    throw new Error(`output at ${offset} came after ${seen.next} with ${skippedBytes} skipped`)
  if (next !== offset + Buffer.byteLength(data))
    throw new Error(`${next} is not ${offset} and the length of the text`)
  seen.text += data
  if (seen.text.length > 2 * KEPT_CHARACTERS) seen.text = seen.text.slice(-KEPT_CHARACTERS)
  seen.next = next
  seen.skippedBytes += skippedBytes
}
