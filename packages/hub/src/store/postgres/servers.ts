// The servers that the address of a database names: one, or several of which one at a time can be written. Connections lead to that one,
// and to its successor after a failover, as with `target_session_attrs=read-write` of libpq. The driver connects to one host only.
import { Client, type ClientConfig } from 'pg'

const READ_ONLY = 'SHOW transaction_read_only'

export class Servers {
  /** Of the connections, also for the driver's pool. */
  readonly Client: typeof Client
  readonly #others: string[]
  #current: string

  constructor(address: string) {
    const [current = address, ...others] = splitAddress(address)
    this.#current = current
    this.#others = others
    this.Client = others.length === 0 ? Client : clientOf(this)
  }

  /** The address of the server that worked last. */
  get current(): string {
    return this.#current
  }

  /** The next connection tries the next server, unless another connection has left this one before. */
  leave(address: string): void {
    if (address !== this.#current) return
    this.#others.push(address)
    this.#current = this.#others.shift() ?? address
  }

  /** Tries several servers until one can be written. Rejects with the last problem when there is none. */
  async find(options: ClientConfig): Promise<void> {
    if (this.#others.length === 0) return
    for (let left = this.#others.length; ; left -= 1) {
      const client = new this.Client(options)
      try {
        await client.connect()
        return await client.end()
      } catch (error) {
        if (left === 0) throw error
      }
    }
  }
}

/** A connection to the current server. It fails, and leaves the server, when that one does not answer or cannot be written. */
function clientOf(servers: Servers): typeof Client {
  return class extends Client {
    readonly #address: string

    constructor(options?: string | ClientConfig) {
      const address = servers.current
      super({ ...(typeof options === 'object' && options), connectionString: address })
      this.#address = address
      // Callers listen when they have the connection, which may be lost before.
      this.on('error', () => undefined)
    }

    override connect(): Promise<Client>
    override connect(onConnected: (error: Error | null, client: Client) => void): void
    override connect(onConnected?: (error: Error | null, client: Client) => void): unknown {
      const connected = this.#connectToWrite()
      if (onConnected === undefined) return connected
      connected.then(
        () => onConnected(null, this),
        (error: Error) => onConnected(error, this),
      )
      return undefined
    }

    async #connectToWrite(): Promise<Client> {
      try {
        await super.connect()
        const { rows } = await this.query<{ transaction_read_only: string }>(READ_ONLY)
        if (rows[0]?.transaction_read_only === 'off') return this
        throw new Error('none of the servers in the address can be written')
      } catch (error) {
        servers.leave(this.#address)
        this.end().catch(() => undefined)
        throw error
      }
    }
  }
}

/** One address for each host of `postgres://name@one:5432,two:5433/data` or `postgres://name@/data?host=one,two&port=5432,5433`, as in libpq. */
export function splitAddress(address: string): string[] {
  const parts = /^(\w+:\/\/(?:[^@/?]*@)?)([^/?]*)([^?]*)(?:\?(.*))?$/s.exec(address)
  if (parts === null) return [address]
  const [, start = '', authority = '', database = '', query = ''] = parts
  const settings = new URLSearchParams(query)
  const named = settings.get('host')
  const hosts = (named ?? authority).split(',')
  if (hosts.length === 1) return [address]
  const ports = settings.get('port')?.split(',') ?? []
  return hosts.map((host, index) => {
    const own = new URLSearchParams(settings)
    const port = ports[index] ?? ports[0]
    if (named !== null) own.set('host', host)
    if (port !== undefined) own.set('port', port)
    const of = named === null ? host : authority
    return `${start}${of}${database}?${own.toString()}`
  })
}
