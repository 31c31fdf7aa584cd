// Whether this browser is signed in, and how it gets there: the one-time code in the address, or one typed in.
import { ClientError } from '@quayside/client'
import type { AgentChatClient } from '@quayside/client'
import type { Principal } from '@quayside/protocol'
import { problemOf } from '../shared/problem.js'
import { Store } from '../shared/store.js'
import { strings } from '../strings/strings.js'

export type AccessState =
  | { readonly is: 'checking' }
  /** Asked again and again until the hub answers. */
  | { readonly is: 'unreachable' }
  | ({ readonly is: 'signed_in' } & Principal)
  | { readonly is: 'signed_out'; readonly problem?: string }

const RETRY_MS = 2_000

export class Access {
  readonly state = new Store<AccessState>({ is: 'checking' })
  readonly #client: AgentChatClient

  constructor(client: AgentChatClient) {
    this.#client = client
    client.on('connection', (connection) => {
      if (connection.state === 'closed' && connection.error?.code === 'unauthorized')
        this.state.set({ is: 'signed_out' })
    })
  }

  async start(): Promise<void> {
    // Whoever opens the address where this page is open already only changes what is behind the #.
    addEventListener('hashchange', () => void this.#arrive())
    await this.#arrive()
  }

  async #arrive(): Promise<void> {
    const code = takeCodeFromAddress()
    const problem = code === undefined ? undefined : await this.#tryCode(code)
    // A used code in an old bookmark is no problem for someone who is signed in already.
    await this.#check(problem)
  }

  /** Takes a code, or the whole address it was printed in. */
  async signIn(typed: string): Promise<void> {
    const problem = await this.#tryCode(codeIn(typed) ?? typed.trim())
    if (problem === undefined) await this.#check()
    else this.state.set({ is: 'signed_out', problem })
  }

  async signOut(): Promise<void> {
    await this.#client.signOut()
    // A new page: nothing of what was read stays in this browser's memory.
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

/** The code must not stay in the history or in a copied address. */
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
