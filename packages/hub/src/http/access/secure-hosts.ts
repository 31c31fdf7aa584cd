// The host names of the hub that a TLS proxy serves: their pages have one scheme, https, and their cookies never leave it.
import type { IncomingHttpHeaders } from 'node:http'

export class SecureHosts {
  readonly #names: ReadonlySet<string>

  constructor(names: readonly string[]) {
    this.#names = new Set(names)
  }

  /** True for a request that came to such a name. */
  serves({ host }: IncomingHttpHeaders): boolean {
    return this.#names.has(hostName(host) ?? '')
  }
}

/** The name in a Host header, without its port. Undefined for a header that has none. */
export function hostName(header: string | undefined): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?$/.exec(header?.toLowerCase() ?? '')?.[1]
}
