// Limits the connections that have not signed in, so that they cannot use up the hub's file descriptors.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** A browser opens six at a time for the public files of the page. */
const MAX_STRANGERS = 64

export class Strangers {
  /** The oldest first, by their other end: a TLS socket is another object than the connection below it. */
  readonly #sockets = new Map<string, Socket>()

  /** Each new connection over the limit closes the oldest that has not signed in. */
  watch(server: Server): void {
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

  /** From now on the connection is not limited. */
  admit(socket: Socket): void {
    this.#sockets.delete(peerOf(socket))
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
