// This hub as one of those that share a database: it tells the others where it is, and knows them.
import { randomBytes } from 'node:crypto'
import type { Repo, Terminal } from '@quayside/protocol'
import type { Config } from '../config/config.js'
import type { Log } from '../log.js'
import { toRepo } from '../repos/repos.js'
import { isLoopback, isWildcard, networkAddresses } from '../reach/own-addresses.js'
import type { EventLog } from '../sessions/log/event-log.js'
import type { ClusterStore } from '../store/cluster-store.js'
import { Elsewhere } from './elsewhere.js'
import { KnownHubs } from './known-hubs.js'
import { type PeerCaller, Peers, unreachable } from './peers.js'
import { Places } from './hub-places.js'
import { RemoteSession } from './remote-session.js'

export type ClusterDeps = {
  readonly store: ClusterStore
  readonly config: Pick<Config, 'host' | 'peerAddress'>
  readonly eventLog: EventLog
  readonly log: Log
}

export class Cluster {
  readonly hubs: KnownHubs
  readonly elsewhere: Elsewhere
  readonly peers: Peers
  readonly places: Places
  /** The other hubs show it. */
  readonly token = `quayside_hub_${randomBytes(32).toString('base64url')}`
  readonly #deps: ClusterDeps
  #hasTerminal: (id: string) => boolean = () => false
  #hostname: string | undefined

  private constructor(deps: ClusterDeps, hubs: KnownHubs) {
    this.#deps = deps
    this.hubs = hubs
    this.elsewhere = new Elsewhere({ ...deps, hubs })
    this.peers = new Peers(hubs)
    const hasTerminal = (id: string): boolean => this.#hasTerminal(id)
    this.places = new Places({ ...deps, hubs, peers: this.peers, hasTerminal })
  }

  static async open(deps: ClusterDeps): Promise<Cluster> {
    return new Cluster(deps, await KnownHubs.open(deps.store))
  }

  /** `listening` is the address of the hub's port, as this machine reaches it; `certificate` is its own, when it serves TLS. */
  async announce(listening: string, certificate: string | undefined): Promise<void> {
    const { store, config, log } = this.#deps
    const address = peerAddress(config, listening)
    this.#hostname = new URL(address).hostname
    if (isForThisMachineOnly(address))
      log.warn(
        { address },
        'hubs on other machines cannot reach this one: set QUAYSIDE_PEER_ADDRESS',
      )
    await store.announce({ address, token: this.token, certificate })
  }

  /** The name of this machine for the others, from the start of the port on. */
  get hostname(): string | undefined {
    return this.#hostname
  }

  get store(): ClusterStore {
    return this.#deps.store
  }

  /** With the repositories of other machines after those of this one. */
  async withReposElsewhere(own: readonly Repo[]): Promise<readonly Repo[]> {
    const { self } = this.hubs
    if (self === undefined) return own
    const rows = await this.#deps.store.reposElsewhere()
    const others = rows.flatMap((row) => {
      const hub = this.hubs.findHub({ owner: null, volume: row.volume })
      const hubs = this.hubs.sharing(row.volume)
      return hub ? [{ ...toRepo(row), hub, ...(hubs && { hubs }) }] : []
    })
    return [...own.map((repo) => ({ ...repo, hub: self, ...this.#sharing(repo.id) })), ...others]
  }

  #sharing(repoId: string): Pick<Repo, 'hubs'> {
    const volume = this.#deps.store.volumeOf(repoId)
    const hubs = volume === undefined ? undefined : this.hubs.sharing(volume)
    return hubs ? { hubs } : {}
  }

  /** The terminals of the other hubs that answer in time. */
  async terminalsElsewhere(caller: PeerCaller): Promise<readonly Terminal[]> {
    const asked = this.hubs.others.map((hub) =>
      this.peers.ask<{ readonly terminals: Terminal[] }>(hub, '/api/terminals', caller),
    )
    return (await Promise.all(asked)).flatMap((answer) => answer?.terminals ?? [])
  }

  /** Undefined for a session of this hub, and for an unknown one. Throws `hub_unreachable` when its machine is away. */
  async findRemote(id: string, by: string): Promise<RemoteSession | undefined> {
    if (this.places.isHere('sessionId', id)) return undefined
    const hub = await this.places.find('sessionId', id)
    if (hub === undefined) return undefined
    if (!hub.isLiving) throw unreachable(hub)
    const { hubs, peers } = this
    return new RemoteSession({ id, hub, hubs, peers, caller: { by, scope: 'write' } })
  }

  /** The terminals of this hub are known. */
  useTerminals(has: (id: string) => boolean): void {
    this.#hasTerminal = has
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
