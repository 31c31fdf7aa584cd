// A ring buffer of the newest lines.
import { copyOfHead, type KeptLine } from './wire-frame.js'

const RING_LINES = 200

export class WireRing {
  readonly #lines: (KeptLine | undefined)[] = Array.from({ length: RING_LINES }, () => undefined)
  #next = 0
  #attached = 0

  push(line: KeptLine): void {
    this.#lines[this.#next] = line
    this.#next = this.#next + 1 === RING_LINES ? 0 : this.#next + 1
    this.#attached += 1
  }

  /** Copies the lines since the last call, so that they are no longer slices of the chunks they came in. */
  detach(): void {
    const lines = this.#attached === 0 ? [] : this.lines().slice(-this.#attached)
    for (const line of lines) line.text = copyOfHead(line.text, line.text.length)
    this.#attached = 0
  }

  /** Oldest first. */
  lines(): KeptLine[] {
    const inOrder = [...this.#lines.slice(this.#next), ...this.#lines.slice(0, this.#next)]
    return inOrder.filter((line) => line !== undefined)
  }
}
