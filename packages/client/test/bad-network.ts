// A TCP proxy between client and hub that can be slow and cut connections, also in the middle of a frame.
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net'

export class BadNetwork implements AsyncDisposable {
  /** The number of cut connections. */
  cuts = 0
  /** The number of bytes from the hub before a connection is cut; called for each new connection. */
  budget: () => number = () => Number.POSITIVE_INFINITY
  /** The hub's bytes pass in pieces of at most this size, one for each turn of the event loop. */
  pieceBytes = Number.POSITIVE_INFINITY
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #target: number

  private constructor(target: number) {
    this.#target = target
    this.#server = createServer((client) => this.#serve(client))
  }

  static async to(address: string): Promise<BadNetwork> {
    const network = new BadNetwork(portOf(address))
    await new Promise<void>((resolve) => network.#server.listen(0, '127.0.0.1', resolve))
    return network
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Connects new connections to another hub. */
  leadTo(address: string): void {
    this.#target = portOf(address)
  }

  /** Cuts all open connections. */
  cut(): void {
    if (this.#sockets.size > 0) this.cuts += 1
    for (const socket of this.#sockets) socket.destroy()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #serve(client: Socket): void {
    const hub = connect(this.#target, '127.0.0.1')
    for (const [socket, other] of [
      [client, hub],
      [hub, client],
    ] as const) {
      this.#sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        this.#sockets.delete(socket)
        other.destroy()
      })
    }
    client.on('data', (data) => hub.write(data))
    void this.#pass(hub, client)
  }

  async #pass(hub: Socket, client: Socket): Promise<void> {
    let left = this.budget()
    try {
      for await (const piece of this.#pieces(hub)) {
        client.write(piece.subarray(0, left))
        left -= piece.length
        if (left < 0) break
      }
    } catch {
      // The hub's end failed, so close the client's.
    }
    if (left >= 0) return void client.end()
    this.cuts += 1
    client.destroy()
  }

  async *#pieces(hub: Socket): AsyncGenerator<Buffer> {
    for await (const data of hub as AsyncIterable<Buffer>) {
      for (let from = 0; from < data.length; from += this.pieceBytes) {
        yield data.subarray(from, Math.min(from + this.pieceBytes, data.length))
        if (Number.isFinite(this.pieceBytes)) await new Promise((next) => setImmediate(next))
      }
    }
  }
}

function portOf(address: string): number {
  return Number(new URL(address).port)
}
