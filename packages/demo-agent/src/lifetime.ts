// The lifetime of this process: it exits when stdin ends, unless a word keeps it running.
import { setTimeout } from 'node:timers/promises'

// A failed test must not leave an agent running forever.
const LONGEST_STAY_MS = 600_000

export class Lifetime {
  #stay: Promise<void> = Promise.resolve()

  /** Keeps running when stdin ends, as codex-acp 2.6 and qoder do. */
  outliveStdin() {
    this.#stay = setTimeout(LONGEST_STAY_MS)
  }

  async over() {
    await this.#stay
  }
}
