// A wait that ends before its test times out, so that the test fails with the last state and not by the suite's timeout.
import { TestRunner } from 'vitest'

const RESERVE_MS = 5_000
const MIN_LIMIT_MS = 1_000
/** For a hook, which has its own timeout. */
const HOOK_LIMIT_MS = 50_000

function waitLimitMs(): number {
  const test = TestRunner.getCurrentTest()
  if (test?.result?.startTime === undefined) return HOOK_LIMIT_MS
  const leftMs = test.result.startTime + test.timeout - Date.now()
  return Math.max(MIN_LIMIT_MS, leftMs - RESERVE_MS)
}

/** A promise with its resolve and reject. It rejects at the limit; a rejection that no test awaits does not fail the run. */
export class Wait<T> {
  readonly promise: Promise<T>
  readonly #describe: (reason: string) => string
  /** Created here, so that its stack leads to the line of the test. */
  readonly #error = new Error()
  readonly #timer: NodeJS.Timeout
  #resolve!: (value: T) => void
  #reject!: (error: Error) => void

  /** `describe` returns the expectation and the last state. */
  constructor(describe: (reason: string) => string) {
    this.#describe = describe
    this.promise = new Promise<T>((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.promise.catch(() => {})
    const limitMs = waitLimitMs()
    this.#timer = setTimeout(() => this.reject(`${limitMs} ms passed`), limitMs)
  }

  resolve(value: T): void {
    clearTimeout(this.#timer)
    this.#resolve(value)
  }

  reject(reason: string): void {
    clearTimeout(this.#timer)
    this.#error.message = this.#describe(reason)
    this.#reject(this.#error)
  }
}
