// Repositories, agents and sessions as REST lists them. The hub does not announce changes of these lists yet,
// so they are read again while someone looks, and whenever the app itself has changed something.
import type { AgentChatClient } from '@quayside/client'
import type { Activity, Extension, Repo, SessionSummary } from '@quayside/protocol'
import { problemOf } from '../shared/problem.js'
import { Store } from '../shared/store.js'

export type Lists = {
  readonly isLoaded: boolean
  readonly problem: string | undefined
  readonly repos: readonly Repo[]
  readonly agents: readonly Extension[]
  readonly sessions: readonly SessionSummary[]
}

type ListedState = Pick<SessionSummary, 'title' | 'status'> & { readonly activity: Activity }

const EMPTY: Lists = {
  isLoaded: false,
  problem: undefined,
  repos: [],
  agents: [],
  sessions: [],
}
const SESSIONS_SHOWN = 50
const REFRESH_MS = 5_000

export class HubLists {
  readonly state = new Store(EMPTY)
  readonly #client: AgentChatClient

  constructor(client: AgentChatClient) {
    this.#client = client
  }

  /** Reads everything now, and the sessions again and again while the page is visible. Returns how to stop. */
  keepFresh(): () => void {
    void this.refresh()
    const timer = setInterval(() => {
      if (!document.hidden)
        void (this.state.get().isLoaded ? this.refreshSessions() : this.refresh())
    }, REFRESH_MS)
    return () => clearInterval(timer)
  }

  async refresh(): Promise<void> {
    await this.#update(async () => {
      const [repos, extensions, { sessions }] = await Promise.all([
        this.#client.repos.list(),
        this.#client.extensions.list(),
        this.#client.sessions.list({ limit: SESSIONS_SHOWN }),
      ])
      const agents = extensions.filter(({ enabled }) => enabled)
      return { repos: repos.filter(({ missing }) => !missing), agents, sessions, isLoaded: true }
    })
  }

  async refreshSessions(): Promise<void> {
    await this.#update(() => this.#client.sessions.list({ limit: SESSIONS_SHOWN }))
  }

  /** Reads the sessions again when the list says something else of one than its own events do. */
  async checkSession(id: string, now: ListedState): Promise<void> {
    const listed = this.state.get().sessions.find((session) => session.id === id)
    const isSame =
      listed?.title === now.title &&
      listed.status === now.status &&
      (listed.activity ?? 'idle') === now.activity
    if (!isSame) await this.refreshSessions()
  }

  /** Makes the hub look for repositories again. */
  async scan(): Promise<void> {
    await this.#update(async () => {
      const repos = await this.#client.repos.scan()
      return { repos: repos.filter(({ missing }) => !missing) }
    })
  }

  async #update(read: () => Promise<Partial<Lists>>): Promise<void> {
    try {
      const { repos, agents, sessions, isLoaded } = { ...this.state.get(), ...(await read()) }
      this.state.set({ repos, agents, sessions, isLoaded, problem: undefined })
    } catch (error) {
      this.state.set({ ...this.state.get(), problem: problemOf(error) })
    }
  }
}
