// Throttles a program's output to its fastest reader. Without readers there is no limit, and no reader can stop it.

export type PaceOptions = {
  readonly pause: () => void
  readonly resume: () => void
  /** The lag of the fastest reader at which the program is paused. */
  readonly maxLagBytes: number
}

/** The longest pause per step: a dead reader slows the program down to 640 KiB a second. */
const WAIT_MS = 100
const STEP_BYTES = 64 * 1024

export class Pace {
  readonly #options: PaceOptions
  /** The offset of each reader. */
  readonly #readers = new Map<object, number>()
  #printedBytes = 0
  #freeUntil = 0
  #waiting: NodeJS.Timeout | undefined

  constructor(options: PaceOptions) {
    this.#options = options
  }

  /** The length of all output so far. */
  printed(totalBytes: number): void {
    this.#printedBytes = totalBytes
    if (this.#waiting || totalBytes < this.#freeUntil || !this.#isTooFast()) return
    this.#options.pause()
    this.#waiting = setTimeout(() => this.#goOn(), WAIT_MS)
  }

  taken(reader: object, totalBytes: number): void {
    this.#readers.set(reader, totalBytes)
    this.#look()
  }

  left(reader: object): void {
    this.#readers.delete(reader)
    this.#look()
  }

  #look(): void {
    if (this.#waiting && !this.#isTooFast()) this.#goOn()
  }

  #isTooFast(): boolean {
    const fastest = Math.max(...this.#readers.values())
    return this.#readers.size > 0 && this.#printedBytes - fastest > this.#options.maxLagBytes
  }

  #goOn(): void {
    clearTimeout(this.#waiting)
    this.#waiting = undefined
    this.#freeUntil = this.#printedBytes + STEP_BYTES
    this.#options.resume()
  }
}
