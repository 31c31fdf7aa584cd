// Finds the hub that has a session, a repository or a terminal.
import { HubError } from '../errors.js'
import type { ClusterStore, HubRow } from '../store/cluster-store.js'
import type { KnownHubs } from './known-hubs.js'
import { type Peers, unreachable } from './peers.js'

/** The names in the input of a command by which its hub is found, in this order. */
export const TARGETS = ['sessionId', 'terminalId', 'comparisonId', 'repoId'] as const
export type Target = (typeof TARGETS)[number]

export type PlacesDeps = {
  readonly store: ClusterStore
  readonly hubs: KnownHubs
  readonly peers: Peers
  /** A terminal of this hub. */
  readonly hasTerminal: (id: string) => boolean
}

export type ChosenHub = { readonly hub: string; readonly repoId: string }

const SELF = { by: 'hub', scope: 'admin' } as const

export class Places {
  readonly #deps: PlacesDeps
  /** Questions under way: commands for one session keep their order. */
  readonly #asked = new Map<string, Promise<HubRow | undefined>>()
  /** The machines of terminals that are elsewhere. */
  readonly #terminals = new Map<string, string>()

  constructor(deps: PlacesDeps) {
    this.#deps = deps
  }

  /** True without asking: the command is for this hub. */
  isHere(target: Target, id: string): boolean {
    const { store, hubs, hasTerminal } = this.#deps
    if (hubs.isAlone) return true
    if (target === 'terminalId') return hasTerminal(id)
    return target !== 'repoId' && store.owns(id)
  }

  /** Another hub, which may be away. Undefined for this one, and for an unknown id. */
  find(target: Target, id: string): Promise<HubRow | undefined> {
    const key = `${target} ${id}`
    const known = this.#asked.get(key)
    if (known) return known
    const asked = this.#find(target, id).finally(() => this.#asked.delete(key))
    this.#asked.set(key, asked)
    return asked
  }

  /**
   * The machine that a person chose for a new session, or undefined for this one. Throws `hub_not_found`, `hub_unreachable`, and
   * `bad_request` when it does not have the repository.
   */
  async findChosen({ hub: name, repoId }: ChosenHub): Promise<HubRow | undefined> {
    const { hubs, store } = this.#deps
    const hub = await hubs.require(name)
    const repo = await store.findRepo(repoId)
    if (repo && !hub.volumes.includes(repo.volume))
      throw new HubError('bad_request', {
        message: `The machine "${hub.name}" does not have the repository "${repo.name}". Leave "hub" out, or choose one of the repository's machines.`,
      })
    if (hubs.isHere(hub)) return undefined
    if (!hub.isLiving) throw unreachable(hub)
    return hub
  }

  async #find(target: Target, id: string): Promise<HubRow | undefined> {
    const { hubs, store } = this.#deps
    if (target === 'terminalId') return this.#findTerminal(id)
    const place = await (target === 'repoId' ? store.findRepo(id) : store.findOwner(id))
    if (place === undefined) return undefined
    const owner = 'owner' in place ? place.owner : null
    const { volume } = place
    // A hub that came since the last look is found.
    const isKnown = owner === null || hubs.knows(owner)
    if (!isKnown || hubs.find({ owner, volume })?.isLiving === false) await hubs.look()
    const row = hubs.find({ owner, volume })
    if (row && !hubs.isHere(row)) return row
    await store.knowRepo('repoId' in place ? place.repoId : id)
    return undefined
  }

  async #findTerminal(id: string): Promise<HubRow | undefined> {
    const { hubs, peers } = this.#deps
    const known = hubs.others.find(({ machineId }) => machineId === this.#terminals.get(id))
    if (known) return known
    const path = `/api/terminals/${encodeURIComponent(id)}`
    const asked = hubs.others.map(async (hub) => ((await peers.ask(hub, path, SELF)) ? hub : null))
    const found = (await Promise.all(asked)).find((hub) => hub !== null)
    if (found) this.#terminals.set(id, found.machineId)
    return found
  }
}
