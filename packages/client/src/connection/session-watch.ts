// Sends listeners the changed rows of the session list. The hub drops a watch with its connection, so each new one asks again.
import type { SessionSummary } from '@quayside/protocol'
import type { Listener } from './connection.js'
import type { RpcSocket } from './rpc-socket.js'

export type SessionsChange =
  /** Every change from now on is sent; read the list for earlier ones. Comes again after each lost connection. */
  | { readonly is: 'begun' }
  | {
      readonly is: 'changed'
      readonly sessions: readonly SessionSummary[]
      /** Ids of sessions that are gone for good. */
      readonly removed: readonly string[]
    }

export class SessionWatch {
  readonly #listeners = new Set<Listener<SessionsChange>>()
  #asked: RpcSocket | undefined
  #begun: RpcSocket | undefined

  add(listener: Listener<SessionsChange>, socket: RpcSocket | undefined): () => void {
    this.#listeners.add(listener)
    if (socket) this.ask(socket)
    // The watch has begun already: the listener is notified after `add` has returned.
    if (socket && socket === this.#begun)
      queueMicrotask(() => {
        if (this.#listeners.has(listener)) listener({ is: 'begun' })
      })
    return () => this.#listeners.delete(listener)
  }

  /** Asks once on each connection, if anyone listens. */
  ask(socket: RpcSocket): void {
    if (this.#listeners.size === 0 || this.#asked === socket) return
    this.#asked = socket
    void this.#begin(socket)
  }

  async #begin(socket: RpcSocket): Promise<void> {
    try {
      await socket.request('sessions/watch', {}).answer
    } catch {
      // Without an answer there is no use in this connection; the next one asks again.
      return socket.close()
    }
    this.#begun = socket
    this.send({ is: 'begun' })
  }

  send(change: SessionsChange): void {
    for (const listener of this.#listeners) listener(change)
  }
}
