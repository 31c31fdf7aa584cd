// This hub as one of those that share a database: it tells the others where it is, and knows them.
import { randomBytes } from 'node:crypto'
import type { Config } from '../config.js'
import type { Log } from '../log.js'
import { isLoopback, isWildcard, networkAddresses } from '../reach/own-addresses.js'
import type { EventLog } from '../sessions/log/event-log.js'
import type { ClusterStore } from '../store/cluster-store.js'
import { Elsewhere } from './elsewhere.js'
import { KnownHubs } from './known-hubs.js'

export type ClusterDeps = {
  readonly store: ClusterStore
  readonly config: Pick<Config, 'host' | 'peerAddress'>
  readonly eventLog: EventLog
  readonly log: Log
}

export class Cluster {
  readonly hubs: KnownHubs
  readonly elsewhere: Elsewhere
  /** The other hubs show it. */
  readonly token = `quayside_hub_${randomBytes(32).toString('base64url')}`
  readonly #deps: ClusterDeps

  private constructor(deps: ClusterDeps, hubs: KnownHubs) {
    this.#deps = deps
    this.hubs = hubs
    this.elsewhere = new Elsewhere({ ...deps, hubs })
  }

  static async open(deps: ClusterDeps): Promise<Cluster> {
    return new Cluster(deps, await KnownHubs.open(deps.store))
  }

  /** `listening` is the address of the hub's port, as this machine reaches it; `certificate` is its own, when it serves TLS. */
  async announce(listening: string, certificate: string | undefined): Promise<void> {
    const { store, config, log } = this.#deps
    const address = peerAddress(config, listening)
    if (isForThisMachineOnly(address))
      log.warn(
        { address },
        'hubs on other machines cannot reach this one: set QUAYSIDE_PEER_ADDRESS',
      )
    await store.announce({ address, token: this.token, certificate })
  }

  close(): void {
    this.hubs.close()
    this.elsewhere.close()
  }
}

function peerAddress({ peerAddress: given, host }: ClusterDeps['config'], listening: string) {
  if (given !== undefined) return given
  const network = isWildcard(host) ? networkAddresses()[0] : undefined
  if (network === undefined) return listening
  const url = new URL(listening)
  url.hostname = network
  return url.origin
}

/** Other machines cannot reach a loopback address: they would ask themselves. */
function isForThisMachineOnly(address: string): boolean {
  return isLoopback(new URL(address).hostname.replaceAll(/[[\]]/g, ''))
}
