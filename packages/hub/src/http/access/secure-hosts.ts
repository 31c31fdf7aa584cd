// The host names of the hub that are served with TLS, by itself or by a proxy: their pages have one scheme, https, and their
// cookies never leave it.
import type { IncomingHttpHeaders } from 'node:http'
import type { RemoteHosts } from '../../reach/remote-hosts.js'

export class SecureHosts {
  readonly #names: ReadonlySet<string>
  readonly #added: Pick<RemoteHosts, 'has'> | undefined
  readonly #isTlsServer: boolean

  /** `added` changes while the hub runs. `isTlsServer`: the hub itself serves TLS, so that every name is one of them. */
  constructor(names: readonly string[], added?: Pick<RemoteHosts, 'has'>, isTlsServer = false) {
    this.#names = new Set(names)
    this.#added = added
    this.#isTlsServer = isTlsServer
  }

  /** True for a request that came to such a name. */
  serves({ host }: IncomingHttpHeaders): boolean {
    return this.#isTlsServer || this.has(hostName(host) ?? '')
  }

  /** True for the name of a proxy or tunnel. */
  has(name: string): boolean {
    return this.#names.has(name) || (this.#added?.has(name) ?? false)
  }
}

/** The name in a Host header, without its port. Undefined for a header that has none. */
export function hostName(header: string | undefined): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?$/.exec(header?.toLowerCase() ?? '')?.[1]
}
