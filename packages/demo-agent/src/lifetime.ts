// How long this process lives: as long as its stdin, unless a word wants to stay.
import { setTimeout } from 'node:timers/promises'

// A test that fails must not leave an agent behind for good.
const LONGEST_STAY_MS = 600_000

export class Lifetime {
  #stay: Promise<void> = Promise.resolve()

  /** Stays when stdin ends, as codex-acp 2.6 and qoder do. */
  outliveStdin() {
    this.#stay = setTimeout(LONGEST_STAY_MS)
  }

  async over() {
    await this.#stay
  }
}
