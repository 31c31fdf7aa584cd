// One-time codes that sign a browser in. On a shared database a code of one hub works at each of them, once.
import { randomBytes } from 'node:crypto'
import type { LoginCode, LoginCodeState, Scope } from '@quayside/protocol'
import { v7 as uuidv7 } from 'uuid'
import { HubError } from '../../errors.js'
import { COMMAND } from '../../places.js'
import { type MaybePromise, whenReady } from '../../store/maybe-promise.js'
import type { LoginCodeStore, StoredLoginCode } from '../../store/shared-store.js'
import { hashOf } from './credentials.js'
import { MemoryCodes } from './memory-codes.js'

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
    this.#storing = this.#store.insert({ id, hash: hashOf(code), name, scope, ttlMs })
    // The caller of `create` learns of the error. A printed code that is not stored does not work.
    if (this.#storing instanceof Promise) this.#storing.catch(() => undefined)
    return { id, code, expiresAt: new Date(Date.now() + ttlMs).toISOString() }
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
