// Limits the connections that have not signed in, so that they cannot use up the hub's file descriptors.
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** A browser opens six at a time for the public files of the page. */
const MAX_STRANGERS = 64
/** The time for the body of a request without a sign-in: a code, which is short. Node alone would wait for five minutes. */
const BODY_MS = 8_000

export class Strangers {
  readonly #bodyMs: number
  /** The oldest first, by their other end: a TLS socket is another object than the connection below it. */
  readonly #sockets = new Map<string, Socket>()

  constructor({ bodyMs = BODY_MS }: { readonly bodyMs?: number } = {}) {
    this.#bodyMs = bodyMs
  }

  /** Each new connection over the limit closes the oldest that has not signed in, and a slow body closes its own. */
  watch(server: Server): void {
    server.on('request', (request) => this.#limitBody(request))
    server.on('connection', (socket) => {
      const peer = peerOf(socket)
      this.#sockets.set(peer, socket)
      socket.once('close', () => {
        if (this.#sockets.get(peer) === socket) this.#sockets.delete(peer)
      })
      const [oldest = [peer, socket] as const] = this.#sockets
      if (this.#sockets.size <= MAX_STRANGERS) return
      this.#sockets.delete(oldest[0])
      oldest[1].destroy()
    })
  }

  #limitBody(request: IncomingMessage): void {
    const { socket, headers } = request
    const hasBody = headers['transfer-encoding'] ?? headers['content-length']
    if (hasBody === undefined || !this.#sockets.has(peerOf(socket))) return
    const timer = setTimeout(() => {
      if (!request.complete && this.#sockets.has(peerOf(socket))) socket.destroy()
    }, this.#bodyMs)
    request.once('close', () => clearTimeout(timer))
    socket.once('close', () => clearTimeout(timer))
  }

  /** From now on the connection is not limited. */
  admit(socket: Socket): void {
    this.#sockets.delete(peerOf(socket))
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
