// The hubs that share the database, as this one saw them last: who runs, who is away, and which of them has a session or a repository.
import type { HubPlace, KnownHub } from '@quayside/protocol'
import { HubError } from '../errors.js'
import type { ClusterStore, HubRow, SessionOwner } from '../store/cluster-store.js'

const LOOK_MS = 1_000

export class KnownHubs {
  readonly #store: ClusterStore
  #rows: readonly HubRow[] = []
  #looking: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  private constructor(store: ClusterStore) {
    this.#store = store
  }

  /** Looks once a second, until it is closed. */
  static async open(store: ClusterStore): Promise<KnownHubs> {
    const hubs = new KnownHubs(store)
    await hubs.look()
    hubs.#lookLater()
    return hubs
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** Callers at the same time share one question. */
  look(): Promise<void> {
    this.#looking ??= this.#read().finally(() => (this.#looking = undefined))
    return this.#looking
  }

  /** No other hub has ever used the database. */
  get isAlone(): boolean {
    return this.#rows.length < 2
  }

  /** The other hubs that run. */
  get others(): readonly HubRow[] {
    return this.#rows.filter((row) => row.isLiving && !this.isHere(row))
  }

  /** Those of them that take new work. */
  get accepting(): readonly HubRow[] {
    return this.others.filter(({ isDraining }) => !isDraining)
  }

  /** This hub is being emptied. */
  get isDraining(): boolean {
    return this.#rows.some((row) => row.isDraining && row.isLiving && this.isHere(row))
  }

  /** By the id or the name of the machine. */
  findNamed(name: string): readonly HubRow[] {
    const byId = this.#rows.filter(({ machineId }) => machineId === name)
    return byId.length > 0 ? byId : this.#rows.filter((row) => row.name === name)
  }

  knows(hubId: string): boolean {
    return this.#rows.some(({ id }) => id === hubId)
  }

  isLiving(hub: HubRow): boolean {
    return this.#rows.some(({ id, isLiving }) => isLiving && id === hub.id)
  }

  /** The ids of the hubs that run, as one text. */
  get living(): string {
    const living = this.#rows.filter(({ isLiving }) => isLiving)
    return living.map(({ id }) => id).join(' ')
  }

  /** This hub among the others; undefined when there is none. */
  get self(): HubPlace | undefined {
    const row = this.isAlone ? undefined : this.#rows.find((one) => this.isHere(one))
    return row && this.#describe(row)
  }

  /** By name. `sessions` are the active ones, by machine. */
  list(sessions: ReadonlyMap<string, number>): KnownHub[] {
    const views = this.#rows.map((row) => ({
      ...this.#describe(row),
      version: row.version,
      ...(row.access && { address: row.access.address }),
      startedAt: new Date(row.startedAt).toISOString(),
      activeSessions: sessions.get(row.machineId) ?? 0,
      ...(row.isDraining && row.isLiving && { draining: true as const }),
    }))
    return views.toSorted((a, b) => a.name.localeCompare(b.name))
  }

  /** Undefined when there is no other hub. */
  findHub({ owner, volume }: SessionOwner): HubPlace | undefined {
    if (this.isAlone) return undefined
    const row = this.find({ owner, volume })
    return row && this.#describe(row)
  }

  /**
   * The hub that has a session: its owner while that lives, else one that has its disk and takes new work, this one first. Undefined
   * when no machine with this disk is known.
   */
  find({ owner, volume }: SessionOwner): HubRow | undefined {
    const living = this.#rows.find(({ id, isLiving }) => isLiving && id === owner)
    if (living) return living
    const withDisk = this.#rows.filter(({ volumes }) => volumes.includes(volume))
    const accepting = withDisk.filter(({ isDraining }) => !isDraining)
    return (
      accepting.find((row) => this.isHere(row)) ??
      accepting.find(({ isLiving }) => isLiving) ??
      withDisk.find((row) => this.isHere(row)) ??
      withDisk.find(({ isLiving }) => isLiving) ??
      withDisk.toSorted((a, b) => b.seenAt - a.seenAt)[0]
    )
  }

  /** The machines with a disk, when there are several. */
  sharing(volume: string): readonly HubPlace[] | undefined {
    const rows = this.#rows.filter(({ volumes }) => volumes.includes(volume))
    return rows.length < 2 ? undefined : rows.map((row) => this.#describe(row))
  }

  /** By the id or the name of the machine, also one that has just come. Throws `hub_not_found`. */
  async require(name: string): Promise<HubRow> {
    if (!this.findNamed(name).some(({ isLiving }) => isLiving)) await this.look()
    const [found, another] = this.findNamed(name)
    if (found === undefined) throw new HubError('hub_not_found', { hubId: name })
    if (another === undefined) return found
    throw new HubError('bad_request', {
      message: `Several machines are named "${name}". Use the id of one of them: quayside hubs --json`,
    })
  }

  isHere({ machineId }: HubRow): boolean {
    return machineId === this.#store.machineId
  }

  #describe(row: HubRow): HubPlace {
    const { machineId: id, name, seenAt } = row
    if (this.isHere(row)) return { id, name, state: 'here' }
    return row.isLiving
      ? { id, name, state: 'elsewhere' }
      : { id, name, state: 'away', since: new Date(seenAt).toISOString() }
  }

  async #read(): Promise<void> {
    this.#rows = await this.#store.hubs()
  }

  #lookLater(): void {
    this.#timer = setTimeout(() => void this.#lookAgain(), LOOK_MS).unref()
  }

  /** Without an answer the hubs are as they were seen last. */
  async #lookAgain(): Promise<void> {
    await this.look().catch(() => undefined)
    if (this.#timer) this.#lookLater()
  }
}
