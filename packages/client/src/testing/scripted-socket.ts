// The two ends of a WebSocket in memory. Nothing arrives before the code that sent it has ended, as on a network.
import type { WebSocketLike } from '../connection/rpc-socket.js'

type Listeners = Map<string, Set<(event: { readonly data: unknown }) => void>>

export class ScriptedSocket implements WebSocketLike {
  readonly #listeners: Listeners = new Map()
  readonly #onMessage: (socket: ScriptedSocket, data: string) => void
  #isOpen = false
  #isClosed = false

  constructor(onMessage: (socket: ScriptedSocket, data: string) => void) {
    this.#onMessage = onMessage
  }

  addEventListener(type: string, listener: (event: { readonly data: unknown }) => void): void {
    const listeners = this.#listeners.get(type) ?? new Set()
    this.#listeners.set(type, listeners.add(listener))
  }

  /** From the client to the hub. */
  send(data: string): void {
    if (!this.#isOpen) throw new Error('The socket is not open.')
    queueMicrotask(() => {
      if (!this.#isClosed) this.#onMessage(this, data)
    })
  }

  close(): void {
    this.lose()
  }

  /** The hub accepts it. */
  open(): void {
    if (this.#isClosed) return
    this.#isOpen = true
    this.#dispatch('open')
  }

  /** From the hub to the client. */
  deliver(message: unknown): void {
    const data = JSON.stringify(message)
    queueMicrotask(() => {
      if (!this.#isClosed) this.#dispatch('message', data)
    })
  }

  /** Gone without a goodbye, or never there. */
  lose(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    queueMicrotask(() => this.#dispatch('close'))
  }

  #dispatch(type: string, data?: string): void {
    for (const listener of this.#listeners.get(type) ?? []) listener({ data })
  }
}
