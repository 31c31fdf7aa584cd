// The last lines of a hub's log, printed when a test that used the hub has failed.
import { onTestFailed, TestRunner } from 'vitest'

const KEPT_LINES = 200
const PRINTED_LINES = 40

export class HubLog {
  readonly #lines: string[] = []
  readonly #usedBy = new WeakSet<object>()

  /** pino's destination. */
  write(line: string): void {
    this.#lines.push(line.trimEnd())
    if (this.#lines.length > KEPT_LINES) this.#lines.splice(0, KEPT_LINES - PRINTED_LINES)
  }

  /** The kept lines. */
  get text(): string {
    return this.#lines.join('\n')
  }

  /** The kept lines with this message. */
  find(message: string): Record<string, unknown>[] {
    const lines = this.#lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    return lines.filter(({ msg }) => msg === message)
  }

  /** Marks the running test as a user of the hub, so that its failure prints the log. A hub may serve all tests of a file. */
  attach(): void {
    const test = TestRunner.getCurrentTest()
    if (test === undefined || this.#usedBy.has(test)) return
    this.#usedBy.add(test)
    onTestFailed(() => {
      const last = this.#lines.slice(-PRINTED_LINES)
      console.error(`The hub's log, its last ${last.length} lines:\n${last.join('\n')}`)
    })
  }
}
