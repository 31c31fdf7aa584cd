// Sign-in codes of a hub that has its database alone. They live in memory: a hub that restarts has forgotten them.
import type { LoginCodeStore, NewLoginCode, StoredLoginCode } from '../../store/shared-store.js'

type Code = NewLoginCode & {
  readonly expiresAt: number
  /** By the monotonic clock, which does not count the sleep of a machine. */
  readonly endsAt: number
  isUsed: boolean
}

const MAX_CODES = 100

export class MemoryCodes implements LoginCodeStore {
  /** By id, the oldest first. */
  readonly #codes = new Map<string, Code>()

  insert(code: NewLoginCode): void {
    for (const [id, one] of this.#codes)
      if (isExpired(one) || this.#codes.size >= MAX_CODES) this.#codes.delete(id)
    const { ttlMs } = code
    const times = { expiresAt: Date.now() + ttlMs, endsAt: performance.now() + ttlMs }
    this.#codes.set(code.id, { ...code, ...times, isUsed: false })
  }

  use(hash: string): StoredLoginCode | undefined {
    const found = [...this.#codes.values()].find((one) => one.hash === hash && !one.isUsed)
    if (found === undefined || isExpired(found)) return undefined
    found.isUsed = true
    return found
  }

  find(id: string): StoredLoginCode | undefined {
    const found = this.#codes.get(id)
    return found && !isExpired(found) ? found : undefined
  }

  remove(id: string): void {
    this.#codes.delete(id)
  }
}

/** By either clock: a clock that is set back does not prolong a code. */
function isExpired({ expiresAt, endsAt }: Code): boolean {
  return expiresAt < Date.now() || endsAt < performance.now()
}
