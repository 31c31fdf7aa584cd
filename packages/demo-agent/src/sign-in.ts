// The sign-in state. Required only with QUAYSIDE_DEMO_AUTH=1; otherwise every client may open sessions.
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

export class SignIn {
  readonly #isNeeded: boolean
  /** With a folder, other processes share the sign-in; without one, it is limited to this process. */
  readonly #file: string | undefined
  #isDone = false

  constructor({ needsSignIn, stateDir }: Settings) {
    this.#isNeeded = needsSignIn
    this.#file = stateDir && join(stateDir, 'signed-in')
  }

  get methods(): AuthMethod[] {
    return this.#isNeeded ? [DEMO_LOGIN, DEMO_TERMINAL] : []
  }

  /** Throws -32000 when a session may not be opened yet. */
  require() {
    const isDone = this.#file ? existsSync(this.#file) : this.#isDone
    if (this.#isNeeded && !isDone) throw RequestError.authRequired({ authMethods: this.methods })
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
