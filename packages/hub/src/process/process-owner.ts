// The hub as the owner of its agents' processes: tags each one, and keeps a watchdog from the first to the last.
import type { Log } from '../log.js'
import { OWNER_VARIABLE, ProcessTags } from './process-tag.js'
import { CAN_LIST_PROCESSES } from './process-table.js'
import { ProcessTree } from './process-tree.js'
import { Watchdog } from './watchdog.js'

type Owned = { readonly env: Readonly<Record<string, string>> }

export class ProcessOwner {
  readonly watchdog: Watchdog
  readonly #tags: ProcessTags

  constructor(hubId: string, log: Log) {
    this.#tags = new ProcessTags(hubId)
    this.watchdog = new Watchdog(this.#tags.runPrefix, log)
  }

  /** What to spawn (an agent, a terminal of one), with a tag of its own. The watchdog runs before there is anything to watch. */
  own<T extends Owned>(launch: T): T {
    this.watchdog.start()
    return { ...launch, env: { ...launch.env, [OWNER_VARIABLE]: this.#tags.next() } }
  }

  /** Agents with all they started, in one look at the process table. */
  measure(): { readonly processes: number; readonly rssBytes: number } | undefined {
    if (!CAN_LIST_PROCESSES) return undefined
    const all = ProcessTree.ofPrefix(this.#tags.runPrefix).find()
    return { processes: all.length, rssBytes: all.reduce((sum, { rssBytes }) => sum + rssBytes, 0) }
  }

  /** After the agents have been ended. Whatever is still there ends now. */
  async close(): Promise<void> {
    await this.watchdog.stop()
  }
}
