// The hub as the owner of its agents' processes: tags each one, and runs a watchdog while there are any.
import { HubError } from '../errors.js'
import type { Log } from '../log.js'
import type { HubLease } from '../store/cluster-store.js'
import { OWNER_VARIABLE, ProcessTags } from './process-tag.js'
import { CAN_LIST_PROCESSES } from './process-table.js'
import { killNow } from './process-sweep.js'
import { ProcessTree } from './process-tree.js'
import { Watchdog } from './watchdog.js'

type Owned = { readonly env: Readonly<Record<string, string>> }

export class ProcessOwner {
  readonly watchdog: Watchdog
  readonly #tags: ProcessTags
  readonly #lease: HubLease | undefined

  /** With a lease, agents run only while the hub holds it. */
  constructor(hubId: string, log: Log, lease?: HubLease) {
    this.#tags = new ProcessTags(hubId)
    this.#lease = lease
    this.watchdog = new Watchdog(this.#tags.runPrefix, log, lease)
  }

  /** Adds a tag to the environment of an agent or of its terminal. Starts the watchdog first. Throws `database_unavailable` without a lease. */
  own<T extends Owned>(launch: T): T {
    if (this.#lease?.isHeld === false) throw new HubError('database_unavailable')
    this.watchdog.start()
    return { ...launch, env: { ...launch.env, [OWNER_VARIABLE]: this.#tags.next() } }
  }

  /** Counts agents and their descendants, with one read of the process table. */
  measure(): { readonly processes: number; readonly rssBytes: number } | undefined {
    if (!CAN_LIST_PROCESSES) return undefined
    const all = ProcessTree.ofPrefix(this.#tags.runPrefix).find()
    return { processes: all.length, rssBytes: all.reduce((sum, { rssBytes }) => sum + rssBytes, 0) }
  }

  /** Kills every process that carries a tag of this hub, without waiting. */
  kill(): void {
    killNow(() => ProcessTree.ofPrefix(this.#tags.runPrefix).find())
  }

  /** Call after the agents have ended. The watchdog ends any process that is left. */
  async close(): Promise<void> {
    await this.watchdog.stop()
  }
}
