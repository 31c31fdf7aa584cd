// The sign-in state, by QUAYSIDE_DEMO_AUTH. Without it, every client may open sessions.
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RequestError } from '@agentclientprotocol/sdk'
import type { AuthMethod } from '@agentclientprotocol/sdk'
import type { Settings } from './settings.js'

const DEMO_LOGIN: AuthMethod = { id: 'demo-login', name: 'Demo sign-in' }
/** ACP's method for interactive sign-ins: the client starts the program with these arguments in a terminal. */
const DEMO_TERMINAL: AuthMethod = {
  type: 'terminal',
  id: 'demo-terminal',
  name: 'Demo sign-in in a terminal',
  args: ['--sign-in'],
}

/** An extension of ACP that some agents send. */
export const AUTH_STATUS = '_auth/status_update'

const INTERNAL_ERROR = -32_603

export class SignIn {
  readonly #how: Settings['signIn']
  /** With a folder, other processes share the sign-in; without one, it is limited to this process. */
  readonly #file: string | undefined
  #isDone = false

  constructor({ signIn, stateDir }: Settings) {
    this.#how = signIn
    this.#file = stateDir && join(stateDir, 'signed-in')
  }

  get methods(): AuthMethod[] {
    return this.#how === '0' ? [] : [DEMO_LOGIN, DEMO_TERMINAL]
  }

  /** The status that Claude's and Codex's adapters send as `_auth/status_update`. */
  get status() {
    if (this.#how !== 'status') return undefined
    return this.#isSignedIn
      ? { kind: 'api_key', label: 'Demo key' }
      : { kind: 'none', label: 'Not logged in' }
  }

  /** Throws when a session may not be opened yet: -32000, or -32603 for a missing configuration, as goose does. */
  require() {
    if (this.#isSignedIn) return
    if (this.#how === '1') throw RequestError.authRequired({ authMethods: this.methods })
    if (this.#how === 'config')
      throw new RequestError(
        INTERNAL_ERROR,
        'Internal error',
        'Failed to resolve provider: Configuration value not found: DEMO_PROVIDER',
      )
  }

  get #isSignedIn(): boolean {
    return this.#file ? existsSync(this.#file) : this.#isDone
  }

  authenticate(methodId: string) {
    if (methodId !== DEMO_LOGIN.id) {
      throw RequestError.invalidParams({ methodId }, 'no such way to sign in')
    }
    this.#isDone = true
    if (this.#file) writeFileSync(this.#file, '')
  }

  logout() {
    this.#isDone = false
    if (this.#file) rmSync(this.#file, { force: true })
  }
}
