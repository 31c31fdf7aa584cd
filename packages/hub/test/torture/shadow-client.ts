// A client of one hub that records everything it receives: answers over REST and WebSocket, events over WebSocket and SSE.
import type { ErrorBody, SessionEvent } from '@quayside/protocol'
import type { WebSocket } from 'ws'
import { openSocket } from '../test-feed.js'
import { TOKEN } from '../test-hub.js'
import type { Cursor, Shadow, SessionShadow } from './shadow.js'

/** The result of a command; `body` has the command's type when `ok`. */
export type Answer =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly code: string; readonly status?: number }

type RpcMessage = {
  readonly id?: number
  readonly result?: unknown
  readonly error?: { readonly message: string; readonly data?: { readonly code: string } }
  readonly params?: { readonly sessionId: string; readonly events: readonly SessionEvent[] }
}

type Call = { answer(message: RpcMessage): void; fail(error: Error): void }

type Follow = {
  readonly session: SessionShadow
  readonly cursor: Cursor
  readonly onEvent: (event: SessionEvent) => void
}

export class ShadowClient {
  readonly #address: string
  readonly #shadow: Shadow
  readonly #socket: WebSocket
  readonly #calls = new Map<number, Call>()
  readonly #follows = new Map<string, Follow>()
  readonly #streams = new AbortController()
  readonly #open: Promise<unknown>[] = []
  #nextId = 1

  private constructor(address: string, shadow: Shadow, socket: WebSocket) {
    this.#address = address
    this.#shadow = shadow
    this.#socket = socket
    socket.on('message', (data: Buffer) => this.#receive(JSON.parse(data.toString()) as RpcMessage))
    this.#open.push(new Promise((resolve) => socket.once('close', resolve)))
    socket.once('close', () => this.#failCalls())
    // Errors show at the close.
    socket.on('error', () => {})
  }

  static async open(address: string, shadow: Shadow): Promise<ShadowClient> {
    return new ShadowClient(address, shadow, await openSocket(address))
  }

  /** Resolves when every connection has ended. */
  async drained(): Promise<void> {
    await Promise.all(this.#open)
  }

  close(): void {
    this.#socket.terminate()
    this.#streams.abort()
  }

  /** Rejects when the hub ends before the whole answer has arrived. */
  async request(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${this.#address}${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.ok) return { ok: true, body: JSON.parse(text) }
    const { error } = JSON.parse(text) as ErrorBody
    if (response.status >= 500 && error.code !== 'shutting_down')
      this.#shadow.blame('broken', `${method} ${path} answered ${response.status}: ${text}`)
    return { ok: false, code: error.code, status: response.status }
  }

  /** Rejects when the socket closes before the answer has arrived. */
  call(method: string, params: unknown): Promise<Answer> {
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      const answer = ({ result, error }: RpcMessage): void => {
        if (error === undefined) resolve({ ok: true, body: result })
        else resolve({ ok: false, code: error.data?.code ?? error.message })
      }
      this.#calls.set(id, { answer, fail: reject })
      this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }), (error) => {
        if (error) reject(error)
      })
    })
  }

  /** Follows with two readers, one over each transport, from `after` on. */
  async follow(session: SessionShadow, after: number, onEvent: Follow['onEvent']): Promise<void> {
    const reader = `round ${this.#shadow.round}`
    this.#follows.set(session.id, {
      session,
      cursor: { reader: `${reader} WebSocket`, after },
      onEvent,
    })
    const answer = await this.call('session/follow', { sessionId: session.id, after })
    if (!answer.ok) this.#shadow.blame('broken', `following ${session.id}: ${answer.code}`)
    this.#open.push(this.#stream(session, { reader: `${reader} SSE`, after }).catch(() => {}))
  }

  #failCalls(): void {
    for (const call of this.#calls.values()) call.fail(new Error('the socket has closed'))
    this.#calls.clear()
  }

  #receive(message: RpcMessage): void {
    if (message.id !== undefined) {
      this.#calls.get(message.id)?.answer(message)
      this.#calls.delete(message.id)
    }
    const follow = this.#follows.get(message.params?.sessionId ?? '')
    if (follow === undefined) return
    for (const event of message.params?.events ?? []) {
      this.#shadow.see(follow.session, follow.cursor, JSON.stringify(event))
      follow.onEvent(event)
    }
  }

  async #stream(session: SessionShadow, cursor: Cursor): Promise<void> {
    const response = await fetch(`${this.#address}/api/sessions/${session.id}/events`, {
      headers: {
        authorization: `Bearer ${TOKEN}`,
        accept: 'text/event-stream',
        'last-event-id': String(cursor.after),
      },
      signal: this.#streams.signal,
    })
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const records = (text + chunk).split('\n\n')
      text = records.pop() ?? ''
      for (const record of records) {
        const json = /^data: (.*)$/m.exec(record)?.[1]
        if (json !== undefined) this.#shadow.see(session, cursor, json)
      }
    }
  }
}
