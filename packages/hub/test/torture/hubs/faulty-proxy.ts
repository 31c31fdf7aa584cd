// A connection between a hub and its database, or between hubs, that can fail: held back without an error, cut, or cut at the answer.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** `hole` holds all bytes back, `reset` cuts and refuses, `no-answers` cuts when the other side answers. */
export type ProxyMode = 'open' | 'hole' | 'reset' | 'no-answers'

export type Target = { readonly path: string } | { readonly port: number; readonly host: string }

export class FaultyProxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #target: Target | undefined
  #mode: ProxyMode = 'open'

  private constructor() {
    this.#server = createServer((client) => this.#accept(client))
  }

  /** At a Unix socket, or at a port of its own. */
  static async listen(path?: string): Promise<FaultyProxy> {
    const proxy = new FaultyProxy()
    if (path === undefined) proxy.#server.listen(0, '127.0.0.1')
    else proxy.#server.listen(path)
    await once(proxy.#server, 'listening')
    proxy.#server.unref()
    return proxy
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** For the connections from now on. */
  leadTo(target: Target): void {
    this.#target = target
  }

  fail(mode: Exclude<ProxyMode, 'open'>): void {
    this.#mode = mode
    for (const socket of this.#sockets) {
      if (mode === 'hole') socket.pause()
      if (mode === 'reset') socket.destroy()
    }
  }

  /** Bytes that were held back arrive late, or never when the connections are cut. */
  heal(isCut: boolean): void {
    this.#mode = 'open'
    for (const socket of this.#sockets) {
      if (isCut) socket.destroy()
      else socket.resume()
    }
  }

  close(): void {
    this.fail('reset')
    this.#server.close()
  }

  #accept(client: Socket): void {
    if (this.#mode === 'reset' || this.#target === undefined) {
      client.on('error', () => undefined).destroy()
      return
    }
    const server = connect(this.#target)
    const end = (): void => {
      client.destroy()
      server.destroy()
    }
    this.#pass(client, server, end)
    this.#pass(server, client, end)
    server.prependListener('data', () => {
      if (this.#mode === 'no-answers') end()
    })
  }

  #pass(from: Socket, to: Socket, end: () => void): void {
    this.#sockets.add(from)
    from.on('data', (data) => {
      if (!to.destroyed && !to.write(data)) from.pause()
    })
    to.on('drain', () => {
      if (this.#mode !== 'hole') from.resume()
    })
    from.on('error', end)
    from.on('close', () => {
      this.#sockets.delete(from)
      end()
    })
    if (this.#mode === 'hole') from.pause()
  }
}
