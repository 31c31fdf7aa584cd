// The ways by which other devices reach this hub: those that work, and the one step that is missing for the others.
import type { ReachState, ReachWay } from '@quayside/protocol'
import type { Config } from '../config/config.js'
import { COMMAND } from '../places.js'
import type { Certificate } from './certificate.js'
import { isLoopback, isWildcard, networkAddresses } from './own-addresses.js'
import type { RemoteHosts } from './remote-hosts.js'
import { readTailscale } from './tailscale.js'

type ReachDeps = {
  readonly config: Config
  readonly certificate: Certificate | undefined
  readonly remoteHosts: RemoteHosts
}

export class Reach {
  readonly #deps: ReachDeps
  #address = ''

  constructor(deps: ReachDeps) {
    this.#deps = deps
  }

  /** Called when the hub listens. */
  useAddress(address: string): void {
    this.#address = address
  }

  async describe(): Promise<ReachState> {
    const { certificate } = this.#deps
    const tailscale = await this.#tailscale()
    const ways = [...this.#addresses(tailscale.url), tailscale, ...this.#network()]
    if (!certificate) return { ways }
    const { fingerprint, isSelfSigned } = certificate
    return { ways, certificate: { fingerprint, isSelfSigned } }
  }

  /** Names that a person has configured. Only the proxy in front of the hub knows whether they work. */
  #addresses(tailscaleUrl: string | undefined): ReachWay[] {
    const { config, remoteHosts } = this.#deps
    const urls = remoteHosts.names.map((name) => `https://${name}`)
    if (config.externalUrl !== undefined) urls.unshift(config.externalUrl)
    return urls
      .filter((url) => url !== tailscaleUrl && !url.endsWith('.ts.net'))
      .map((url) => ({ kind: 'address', url, isEncrypted: url.startsWith('https:') }))
  }

  async #tailscale(): Promise<ReachWay> {
    const { config, remoteHosts } = this.#deps
    const way = { kind: 'tailscale', isEncrypted: true } as const
    const found = await readTailscale(process.env)
    if (found.is === 'missing') return { ...way, problem: 'not_installed' }
    if (found.is === 'off') return { ...way, problem: 'not_connected', command: 'tailscale up' }
    const { hostname, servedPorts } = found
    const isAccepted = remoteHosts.has(hostname) || config.secureHostnames.includes(hostname)
    if (isAccepted && servedPorts.includes(Number(new URL(this.#address).port)))
      return { ...way, url: `https://${hostname}` }
    return { ...way, problem: 'not_served', command: `${COMMAND} remote tailscale` }
  }

  #network(): ReachWay[] {
    const { config, certificate } = this.#deps
    const way = { kind: 'network', isEncrypted: certificate !== undefined } as const
    if (isLoopback(config.host)) {
      const command = `${COMMAND} start --host 0.0.0.0 --tls`
      return [{ ...way, isEncrypted: true, problem: 'this_machine_only', command }]
    }
    const addresses = isWildcard(config.host) ? networkAddresses() : [config.host]
    if (addresses.length === 0) return [{ ...way, problem: 'no_network' }]
    const { protocol, port } = new URL(this.#address)
    return addresses.map((address) => ({
      ...way,
      url: `${protocol}//${address.includes(':') ? `[${address}]` : address}:${port}`,
    }))
  }
}
