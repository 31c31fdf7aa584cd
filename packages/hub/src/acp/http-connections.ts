// Closes idle ACP connections over HTTP, which have no socket whose end would show that the client has disconnected.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AcpServer } from '@agentclientprotocol/sdk/experimental/server'

const HEADER = 'acp-connection-id'
const CHECK_MS = 30_000
/** Long enough for a laptop to reconnect to its network. */
const IDLE_MS = 5 * 60_000

type Use = { open: number; lastAt: number }

export class HttpConnections {
  readonly #uses = new Map<string, Use>()
  readonly #timer: NodeJS.Timeout

  constructor(server: AcpServer) {
    this.#timer = setInterval(() => {
      for (const id of this.idle(performance.now())) {
        this.#uses.delete(id)
        const request = new Request('http://hub/acp', {
          method: 'DELETE',
          headers: { [HEADER]: id },
        })
        void server.handleRequest(request)
      }
    }, CHECK_MS)
    this.#timer.unref()
  }

  /** Marks a connection as used for as long as this request is open. */
  serve(request: IncomingMessage, response: ServerResponse): void {
    const known = request.headers[HEADER]
    if (isId(known)) this.#use(known).open += 1
    response.once('close', () => {
      // The response to `initialize` names a new connection.
      const id = known ?? response.getHeader(HEADER)
      if (!isId(id)) return
      const use = this.#use(id)
      if (id === known) use.open -= 1
      use.lastAt = performance.now()
    })
  }

  /** The ids of connections without a request for IDLE_MS. */
  idle(now: number): string[] {
    return [...this.#uses].flatMap(([id, { open, lastAt }]) =>
      open === 0 && now - lastAt > IDLE_MS ? [id] : [],
    )
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #use(id: string): Use {
    const use = this.#uses.get(id) ?? { open: 0, lastAt: performance.now() }
    this.#uses.set(id, use)
    return use
  }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value)
}
