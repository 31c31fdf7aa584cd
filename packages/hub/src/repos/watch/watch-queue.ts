// The order of file events. On Linux all watchers of a process share one queue, so an event that the hub causes itself arrives
// after the events of every earlier write.
import { type FSWatcher, renameSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { within } from '../../deadline.js'
import { TempFolder } from '../../temp-folders.js'

/** Longer than a busy hub needs for a turn of its event loop: the alternative is a git of its own for every prompt. */
const MAX_WAIT_MS = 1_000
/** The kernel drops events when its queue is full, by default at 16,384, and Node does not report that. */
const MAX_EVENTS_AT_ONCE = 4_096

export class WatchQueue implements Disposable {
  readonly #onOverflow: () => void
  readonly #folder = new TempFolder('watch')
  readonly #watcher: FSWatcher
  readonly #waiting = new Map<string, () => void>()
  #number = 0
  #isBroken = false
  #eventsAtOnce = 0

  /** `onOverflow` is called when events may have been lost. */
  constructor(onOverflow: () => void) {
    this.#onOverflow = onOverflow
    writeFileSync(this.#fileOf(0), '')
    this.#watcher = watch(this.#folder.path, { persistent: false }, (_kind, name) =>
      this.#waiting.get(name ?? '')?.(),
    )
    this.#watcher.on('error', () => {
      this.#isBroken = true
      this.#watcher.close()
    })
  }

  /** True when the events of everything that happened before the call have been delivered. */
  async isDrained(): Promise<boolean> {
    if (this.#isBroken) return false
    const number = this.#number++
    const name = String(number + 1)
    const arrived = new Promise<true>((resolve) => this.#waiting.set(name, () => resolve(true)))
    try {
      renameSync(this.#fileOf(number), this.#fileOf(number + 1))
      return (await within(arrived, MAX_WAIT_MS)) === true
    } catch {
      return false
    } finally {
      this.#waiting.delete(name)
    }
  }

  /** Call it for each event of a watcher. */
  count(): void {
    if (this.#eventsAtOnce === 0) setImmediate(() => (this.#eventsAtOnce = 0))
    this.#eventsAtOnce += 1
    if (this.#eventsAtOnce === MAX_EVENTS_AT_ONCE) this.#onOverflow()
  }

  [Symbol.dispose](): void {
    this.#watcher.close()
    this.#folder.remove()
  }

  #fileOf(number: number): string {
    return join(this.#folder.path, String(number))
  }
}
