// A WebSocket that sends fuzz and waits until each message is answered, or the hub has closed the socket.
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { TOKEN } from '../test-hub.js'

type Answer = { readonly id?: unknown; readonly error?: { readonly data?: { code?: string } } }

export type SocketReport = (problem: string) => void

export class FuzzedSocket {
  readonly #socket: WebSocket
  readonly #open = new Map<string, () => void>()
  #probes = 0
  #isClosed = false

  private constructor(socket: WebSocket, onText: (text: string) => void) {
    this.#socket = socket
    socket.on('error', () => {})
    socket.on('message', (data: Buffer) => this.#receive(data.toString('utf8'), onText))
    socket.once('close', () => {
      this.#isClosed = true
      for (const settle of this.#open.values()) settle()
    })
  }

  static async open(url: string, onText: (text: string) => void): Promise<FuzzedSocket> {
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${TOKEN}` } })
    const fuzzed = new FuzzedSocket(socket, onText)
    await Promise.race([once(socket, 'open'), once(socket, 'close')])
    return fuzzed
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** False when the message, or a request after it, is not answered in time. */
  async send(message: string | Buffer, limitMs: number): Promise<boolean> {
    this.#probes += 1
    const probe = `probe-${this.#probes}`
    const wanted = [probe, ...idsOf(message)].map(
      (id) => new Promise<void>((resolve) => this.#open.set(id, resolve)),
    )
    if (this.#isClosed) return true
    this.#socket.send(message, { binary: typeof message !== 'string' })
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id: probe, method: 'no/such' }))
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), limitMs)
    })
    const answered = Promise.all(wanted).then(() => true)
    return Promise.race([answered, late]).finally(() => clearTimeout(timer))
  }

  close(): void {
    this.#socket.terminate()
  }

  #receive(text: string, onText: (text: string) => void): void {
    onText(text)
    const message = JSON.parse(text) as Answer | Answer[]
    for (const { id } of [message].flat()) {
      this.#open.get(String(id))?.()
      this.#open.delete(String(id))
    }
  }
}

/** The ids of the requests in a text message that must be answered. */
function idsOf(message: string | Buffer): string[] {
  if (typeof message !== 'string') return []
  try {
    const parsed = JSON.parse(message) as unknown
    return isRequest(parsed) ? [String(parsed.id)] : []
  } catch {
    return []
  }
}

function isRequest(value: unknown): value is { id: string | number } {
  if (typeof value !== 'object' || value === null) return false
  const { jsonrpc, id, method } = value as Record<string, unknown>
  return jsonrpc === '2.0' && typeof method === 'string' && typeof id === 'string'
}
