// The processes of one owner: those that carry its tag, and their descendants.
import { type ProcessEntry, readProcessTable } from './process-table.js'

export class ProcessTree {
  readonly #isOurs: (entry: ProcessEntry) => boolean
  readonly #since: number
  /** Start times by pid from the last call of `find`: a process may clear its environment and lose its parent later. */
  #known = new Map<number, number>()

  /** `since` is a start time of the process table; no process of the tree is older. */
  constructor(isOurs: (entry: ProcessEntry) => boolean, since = 0) {
    this.#isOurs = isOurs
    this.#since = since
  }

  /** All processes of a hub, or of one run of it. */
  static ofPrefix(prefix: string): ProcessTree {
    return new ProcessTree(({ owner }) => owner !== undefined && owner.startsWith(prefix))
  }

  /** The processes that run now. Empty on platforms that cannot list processes. */
  find(): ProcessEntry[] {
    const table = readProcessTable(this.#since)
    if (table === 'unsupported') return []
    const found = findOwned(table, (entry) => this.#isOurs(entry) || this.#isKnown(entry))
    this.#known = new Map(found.map(({ pid, startTime }) => [pid, startTime]))
    return found
  }

  #isKnown({ pid, startTime, owner }: ProcessEntry): boolean {
    return owner === undefined && this.#known.get(pid) === startTime
  }
}

/**
 * The processes that `isOurs` selects, and their descendants, because a child may have cleared its environment.
 * Excludes descendants with another owner, this process itself, and zombies.
 */
export function findOwned(
  table: readonly ProcessEntry[],
  isOurs: (entry: ProcessEntry) => boolean,
): ProcessEntry[] {
  const living = table.filter(({ pid, isZombie }) => !isZombie && pid !== process.pid)
  const children = new Map<number, ProcessEntry[]>()
  for (const entry of living) {
    if (entry.owner !== undefined) continue
    const siblings = children.get(entry.ppid)
    if (siblings) siblings.push(entry)
    else children.set(entry.ppid, [entry])
  }
  const found = new Set(living.filter(isOurs))
  // Iterating a set also visits elements that are added during the iteration.
  for (const { pid } of found) for (const child of children.get(pid) ?? []) found.add(child)
  return [...found]
}
