// One-time codes that sign a browser in. They live in memory: a hub that restarts has forgotten them.
import { randomBytes } from 'node:crypto'
import type { LoginCode, LoginCodeState, Scope } from '@quayside/protocol'
import { v7 as uuidv7 } from 'uuid'
import { HubError } from '../../errors.js'

type NewSignIn = {
  /** Without one, the device that uses it is named. */
  readonly name?: string | undefined
  readonly scope: Scope
}
type LoginCodeInput = Partial<NewSignIn> & { readonly ttlMs?: number }
type Code = NewSignIn & {
  readonly id: string
  readonly code: string
  readonly expiresAt: number
  isUsed: boolean
}

const LIFETIME_MS = 10 * 60_000
const MAX_CODES = 100

export class LoginCodes {
  /** By id, the oldest first. Used ones stay until they would have expired, so that whoever made one can see it. */
  readonly #codes = new Map<string, Code>()

  /** For an address that is printed: good once, for ten minutes unless said otherwise. */
  mint({ name, scope = 'admin', ttlMs = LIFETIME_MS }: LoginCodeInput = {}): LoginCode {
    const now = Date.now()
    for (const [id, { expiresAt }] of this.#codes)
      if (expiresAt < now || this.#codes.size >= MAX_CODES) this.#codes.delete(id)
    const id = uuidv7()
    const code = randomBytes(16).toString('base64url')
    const expiresAt = now + ttlMs
    this.#codes.set(id, { id, code, name, scope, expiresAt, isUsed: false })
    return { id, code, expiresAt: new Date(expiresAt).toISOString() }
  }

  /** Uses a code up and says whom it signs in. */
  redeem(code: string): NewSignIn {
    const found = [...this.#codes.values()].find((one) => one.code === code && !one.isUsed)
    if (found === undefined || found.expiresAt < Date.now())
      throw new HubError('unauthorized', {
        message: 'This sign-in code was used or has expired. Get a new one with `quayside pair`.',
      })
    found.isUsed = true
    return found
  }

  require(id: string): LoginCodeState {
    const { expiresAt, isUsed } = this.#find(id)
    return { id, expiresAt: new Date(expiresAt).toISOString(), isUsed }
  }

  /** The code can no longer be used. Devices that it signed in stay signed in. */
  withdraw(id: string): void {
    this.#codes.delete(this.#find(id).id)
  }

  #find(id: string): Code {
    const found = this.#codes.get(id)
    if (found === undefined || found.expiresAt < Date.now())
      throw new HubError('login_code_not_found', { id })
    return found
  }
}
