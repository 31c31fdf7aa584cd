// The watched work trees: one watch for each, shared by its sessions, and closed when the last of them has ended.
import type { Log } from '../../log.js'
import { TreeWatch } from './tree-watch.js'
import { WatchQueue } from './watch-queue.js'

type Shared = { readonly watch: TreeWatch; readonly listeners: Set<() => void> }

export type SharedTreeWatch = Disposable & Pick<TreeWatch, 'cover' | 'isUnchangedSince'>

export class TreeWatches {
  readonly #log: Log
  readonly #shared = new Map<string, Shared>()
  #queue: WatchQueue | undefined

  constructor(log: Log) {
    this.#log = log
  }

  /** `onChange` is called for every event; it has to be cheap. */
  open(workTree: string, onChange: () => void): SharedTreeWatch {
    const { watch, listeners } = this.#shared.get(workTree) ?? this.#start(workTree)
    listeners.add(onChange)
    return {
      cover: () => watch.cover(),
      isUnchangedSince: (mark) => watch.isUnchangedSince(mark),
      [Symbol.dispose]: () => {
        listeners.delete(onChange)
        if (listeners.size === 0) this.#end(workTree)
      },
    }
  }

  #start(workTree: string): Shared {
    const queue = () => (this.#queue ??= new WatchQueue(() => this.#loseAll()))
    const listeners = new Set<() => void>()
    const onChange = () => listeners.forEach((listener) => listener())
    const watch = new TreeWatch({ workTree, queue, onChange, log: this.#log })
    const shared = { watch, listeners }
    this.#shared.set(workTree, shared)
    return shared
  }

  #end(workTree: string): void {
    this.#shared.get(workTree)?.watch[Symbol.dispose]()
    this.#shared.delete(workTree)
    if (this.#shared.size > 0) return
    this.#queue?.[Symbol.dispose]()
    this.#queue = undefined
  }

  #loseAll(): void {
    for (const { watch } of this.#shared.values()) watch.lose()
  }
}
