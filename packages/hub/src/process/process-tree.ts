// The processes of one owner: those that carry its tag, and what descends from them.
import { type ProcessEntry, readProcessTable } from './process-table.js'

export class ProcessTree {
  readonly #isOurs: (entry: ProcessEntry) => boolean
  readonly #since: number
  /** Start times by pid at the last look: some clear their environment and lose their parent later. */
  #known = new Map<number, number>()

  /** Nobody in the tree is older than `since`, a start time of the process table. */
  constructor(isOurs: (entry: ProcessEntry) => boolean, since = 0) {
    this.#isOurs = isOurs
    this.#since = since
  }

  /** Everything whose tag begins so: of a hub, or of one run of it. */
  static ofPrefix(prefix: string): ProcessTree {
    return new ProcessTree(({ owner }) => owner !== undefined && owner.startsWith(prefix))
  }

  /** Who runs now. Nobody where the platform does not tell. */
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
 * The processes that `isOurs` picks, and their descendants, because a child may have cleared its environment.
 * A descendant that names another owner is that owner's. Never this process itself, and no zombies.
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
  // A set hands out what is added while it is walked.
  for (const { pid } of found) for (const child of children.get(pid) ?? []) found.add(child)
  return [...found]
}
