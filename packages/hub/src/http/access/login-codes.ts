// One-time codes that sign a browser in. On a shared database a code of one hub works at each of them, once.
import { randomBytes } from 'node:crypto'
import type { LoginCode, LoginCodeState, Scope } from '@quayside/protocol'
import { v7 as uuidv7 } from 'uuid'
import { HubError } from '../../errors.js'
import { COMMAND } from '../../places.js'
import { type MaybePromise, whenReady } from '../../store/maybe-promise.js'
import type { LoginCodeStore, NewLoginCode, StoredLoginCode } from '../../store/shared-store.js'
import { hashOf } from './credentials.js'

type NewSignIn = {
  /** Without one, the device that uses it is named. */
  readonly name?: string | undefined
  readonly scope: Scope
}
type LoginCodeInput = Partial<NewSignIn> & { readonly ttlMs?: number }

const LIFETIME_MS = 10 * 60_000

export class LoginCodes {
  readonly #store: LoginCodeStore
  /** The latest code that is being stored. The database stores them in order. */
  #storing: MaybePromise<void> = undefined

  constructor(store: LoginCodeStore = new MemoryCodes()) {
    this.#store = store
  }

  /** For an address that is printed: good once, for ten minutes unless said otherwise. Returns before a shared database has it. */
  mint({ name, scope = 'admin', ttlMs = LIFETIME_MS }: LoginCodeInput = {}): LoginCode {
    const id = uuidv7()
    const code = randomBytes(16).toString('base64url')
    const expiresAt = Date.now() + ttlMs
    this.#storing = this.#store.insert({ id, hash: hashOf(code), name, scope, ttlMs, expiresAt })
    // The caller of `create` learns of the error. A printed code that is not stored does not work.
    if (this.#storing instanceof Promise) this.#storing.catch(() => undefined)
    return { id, code, expiresAt: new Date(expiresAt).toISOString() }
  }

  /** Returns when the code works at every hub. */
  create(input: LoginCodeInput): MaybePromise<LoginCode> {
    const code = this.mint(input)
    return whenReady(this.#storing, () => code)
  }

  /** Uses a code up and says whom it signs in. */
  redeem(code: string): MaybePromise<NewSignIn> {
    const used = this.#stored(() => this.#store.use(hashOf(code)))
    return whenReady(used, (found) => {
      if (found !== undefined) return found
      throw new HubError('unauthorized', {
        message: `This sign-in code was used or has expired. Get a new one with \`${COMMAND} pair\`.`,
      })
    })
  }

  require(id: string): MaybePromise<LoginCodeState> {
    return whenReady(this.#find(id), ({ expiresAt, isUsed }) => ({
      id,
      expiresAt: new Date(expiresAt).toISOString(),
      isUsed,
    }))
  }

  /** The code can no longer be used. Devices that it signed in stay signed in. */
  withdraw(id: string): MaybePromise<void> {
    return whenReady(this.#find(id), () => this.#store.remove(id))
  }

  #find(id: string): MaybePromise<StoredLoginCode> {
    const found = this.#stored(() => this.#store.find(id))
    return whenReady(found, (code) => {
      if (code === undefined) throw new HubError('login_code_not_found', { id })
      return code
    })
  }

  /** After the codes that this hub has given out are stored. */
  #stored<T>(work: () => MaybePromise<T>): MaybePromise<T> {
    const storing = this.#storing
    return storing instanceof Promise ? storing.catch(() => undefined).then(work) : work()
  }
}

type Code = NewLoginCode & {
  /** By the monotonic clock, which does not count the sleep of a machine. */
  readonly endsAt: number
  isUsed: boolean
}

const MAX_CODES = 100

/** Of a hub that has its database alone. They live in memory: a hub that restarts has forgotten them. */
class MemoryCodes implements LoginCodeStore {
  /** By id, the oldest first. */
  readonly #codes = new Map<string, Code>()

  insert(code: NewLoginCode): void {
    for (const [id, one] of this.#codes)
      if (isExpired(one) || this.#codes.size >= MAX_CODES) this.#codes.delete(id)
    const endsAt = performance.now() + code.ttlMs
    this.#codes.set(code.id, { ...code, endsAt, isUsed: false })
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
