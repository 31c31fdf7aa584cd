// Limits the connections that have not signed in, so that they cannot use up the hub's file descriptors.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** A browser opens six at a time for the public files of the page. */
const MAX_STRANGERS = 64

export class Strangers {
  /** The oldest first. */
  readonly #sockets = new Set<Socket>()

  /** Each new connection over the limit closes the oldest that has not signed in. */
  watch(server: Server): void {
    server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
      const [oldest = socket] = this.#sockets
      if (this.#sockets.size <= MAX_STRANGERS) return
      this.#sockets.delete(oldest)
      oldest.destroy()
    })
  }

  /** From now on the connection is not limited. */
  admit(socket: Socket): void {
    this.#sockets.delete(socket)
  }
}
