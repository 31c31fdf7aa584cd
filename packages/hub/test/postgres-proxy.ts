// A Unix socket between a hub and its PostgreSQL server that can lose what one side sends.
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SOCKET = '.s.PGSQL.5432'

export class PostgresProxy {
  readonly #folder = mkdtempSync(join(tmpdir(), 'pg-proxy-'))
  readonly #sockets = new Set<Socket>()
  readonly #server: Server
  #isDown = false
  /** Cuts a connection when these bytes pass: before the server gets them, or when it answers. */
  #cut:
    | { readonly at: 'request' | 'answer'; readonly bytes: string; readonly done: () => void }
    | undefined

  private constructor(target: string) {
    this.#server = createServer((client) => {
      if (this.#isDown) {
        client.on('error', () => undefined).destroy()
        return
      }
      const server = connect(target)
      this.#sockets.add(client).add(server)
      const end = (): void => {
        client.destroy()
        server.destroy()
      }
      let isAsked = false
      client.on('data', (data) => {
        const cut = data.includes(this.#cut?.bytes ?? '\0none\0') ? this.#cut : undefined
        if (cut?.at === 'request') return this.#lose(end)
        if (cut) isAsked = true
        server.write(data)
      })
      server.on('data', (data) => {
        if (isAsked) this.#lose(end)
        else client.write(data)
      })
      for (const socket of [client, server]) {
        socket.on('error', end)
        socket.on('close', end)
      }
    })
  }

  /** `url` is that of the server; `.url` is the same through the proxy. */
  static async open(url: string): Promise<{ proxy: PostgresProxy; url: string }> {
    const address = new URL(url)
    const folder = address.searchParams.get('host') ?? ''
    const proxy = new PostgresProxy(join(folder, SOCKET))
    proxy.#server.listen(join(proxy.#folder, SOCKET))
    await once(proxy.#server, 'listening')
    address.searchParams.set('host', proxy.#folder)
    return { proxy, url: address.href }
  }

  /** Ends all connections, and every new one until `up`. */
  down(): void {
    this.#isDown = true
    for (const socket of this.#sockets) socket.destroy()
  }

  up(): void {
    this.#isDown = false
  }

  /** Resolves when the connection that sends these bytes next is cut. */
  cutOnce(at: 'request' | 'answer', bytes: string): Promise<void> {
    return new Promise((done) => (this.#cut = { at, bytes, done }))
  }

  #lose(end: () => void): void {
    this.#cut?.done()
    this.#cut = undefined
    end()
  }

  close(): void {
    this.down()
    this.#server.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
