// A wait of a test, which ends somewhat before its test may, so that it fails with what was seen and not by the suite's timeout.
import { TestRunner } from 'vitest'

const RESERVE_MS = 5_000
const MIN_LIMIT_MS = 1_000
/** In a hook, which has a timeout of its own. */
const HOOK_LIMIT_MS = 50_000

function waitLimitMs(): number {
  const test = TestRunner.getCurrentTest()
  if (test?.result?.startTime === undefined) return HOOK_LIMIT_MS
  const leftMs = test.result.startTime + test.timeout - Date.now()
  return Math.max(MIN_LIMIT_MS, leftMs - RESERVE_MS)
}

/** A promise with its two ends. It rejects at the limit; a rejection that no test awaits is no error of the run. */
export class Wait<T> {
  readonly promise: Promise<T>
  readonly #describe: (reason: string) => string
  /** Made here, so that its stack leads to the line of the test. */
  readonly #error = new Error()
  readonly #timer: NodeJS.Timeout
  #resolve!: (value: T) => void
  #reject!: (error: Error) => void

  /** `describe` says what was waited for and what was seen. */
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
