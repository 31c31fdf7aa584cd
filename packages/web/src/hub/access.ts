// The sign-in of this browser: by the one-time code in the address, or by a code that is typed in.
import { ClientError } from '@quayside/client'
import type { AgentChatClient } from '@quayside/client'
import type { Principal } from '@quayside/protocol'
import { problemOf } from '../shared/problem.js'
import { Store } from '../shared/store.js'
import { strings } from '../strings/strings.js'

export type AccessState =
  | { readonly is: 'checking' }
  /** The hub does not answer; the page retries. */
  | { readonly is: 'unreachable' }
  | ({ readonly is: 'signed_in' } & Principal)
  | { readonly is: 'signed_out'; readonly problem?: string }

const RETRY_MS = 2_000

export class Access {
  readonly state = new Store<AccessState>({ is: 'checking' })
  readonly #client: AgentChatClient
  readonly #onSignOut: () => void

  constructor(client: AgentChatClient, onSignOut: () => void) {
    this.#client = client
    this.#onSignOut = onSignOut
    client.on('connection', (connection) => {
      if (connection.state === 'closed' && connection.error?.code === 'unauthorized')
        this.state.set({ is: 'signed_out' })
    })
  }

  async start(): Promise<void> {
    // Opening the printed address in an open page changes only the part after the #.
    addEventListener('hashchange', () => void this.#arrive())
    await this.#arrive()
  }

  async #arrive(): Promise<void> {
    const code = takeCodeFromAddress()
    const problem = code === undefined ? undefined : await this.#tryCode(code)
    // A used code in an old bookmark is ignored when the browser is signed in.
    await this.#check(problem)
  }

  /** Accepts the code, or the whole printed address. */
  async signIn(typed: string): Promise<void> {
    const problem = await this.#tryCode(codeIn(typed) ?? typed.trim())
    if (problem === undefined) await this.#check()
    else this.state.set({ is: 'signed_out', problem })
  }

  async signOut(): Promise<void> {
    await this.#client.signOut()
    this.#onSignOut()
    // Loads a new page, so that no data stays in memory.
    location.assign('/')
  }

  async #tryCode(code: string): Promise<string | undefined> {
    try {
      await this.#client.signIn(code)
      return undefined
    } catch (error) {
      return problemOfCode(error)
    }
  }

  async #check(problem?: string): Promise<void> {
    try {
      this.state.set({ is: 'signed_in', ...(await this.#client.me()) })
    } catch (error) {
      if (error instanceof ClientError && error.code === 'unreachable') {
        this.state.set({ is: 'unreachable' })
        setTimeout(() => void this.#check(problem), RETRY_MS)
        return
      }
      const isSignedOut = error instanceof ClientError && error.code === 'unauthorized'
      const reason = problem ?? (isSignedOut ? undefined : problemOf(error))
      this.state.set(
        reason === undefined ? { is: 'signed_out' } : { is: 'signed_out', problem: reason },
      )
    }
  }
}

/** Removes the code, so that it stays neither in the history nor in a copied address. */
function takeCodeFromAddress(): string | undefined {
  const code = codeIn(location.hash)
  if (code !== undefined) history.replaceState(null, '', location.pathname + location.search)
  return code
}

function codeIn(address: string): string | undefined {
  const [, fragment] = address.split('#')
  return new URLSearchParams(fragment ?? '').get('code') ?? undefined
}

function problemOfCode(error: unknown): string {
  if (error instanceof ClientError && error.code === 'unauthorized')
    return strings.problems.usedCode
  return problemOf(error)
}
