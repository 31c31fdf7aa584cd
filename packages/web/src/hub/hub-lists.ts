// Repositories and agents as the hub lists them: read when the app starts, and whenever something may have changed them.
import type { AgentChatClient } from '@quayside/client'
import type { Extension, Repo } from '@quayside/protocol'
import { problemOf } from '../shared/problem.js'
import { Store } from '../shared/store.js'

export type Lists = {
  readonly isLoaded: boolean
  readonly problem: string | undefined
  readonly repos: readonly Repo[]
  /** How many sessions may be active at once. */
  readonly maxActive: number | undefined
  /** The agents that had sessions when this was read. */
  readonly extensionIds: readonly string[]
  /** Those that can be used; the settings show all. */
  readonly agents: readonly Extension[]
  readonly allAgents: readonly Extension[]
}

const EMPTY: Lists = {
  isLoaded: false,
  problem: undefined,
  repos: [],
  maxActive: undefined,
  extensionIds: [],
  agents: [],
  allAgents: [],
}

export class HubLists {
  readonly state = new Store(EMPTY)
  readonly #client: AgentChatClient

  constructor(client: AgentChatClient) {
    this.#client = client
  }

  readonly refresh = (): Promise<void> =>
    this.#update(async () => {
      const [repos, extensions, { maxActive, extensionIds = [] }] = await Promise.all([
        this.#client.repos.list(),
        this.#client.agents.list(),
        this.#client.sessions.list({ limit: 1 }),
      ])
      const ofHub = { maxActive, extensionIds, isLoaded: true }
      return { ...present(repos), ...usable(extensions), ...ofHub }
    })

  readonly refreshAgents = (): Promise<void> =>
    this.#update(async () => usable(await this.#client.agents.list()))

  /** Makes the hub look for repositories again. */
  readonly scan = (): Promise<void> =>
    this.#update(async () => present(await this.#client.repos.scan()))

  /** Makes the repository known that a folder is or lies in. Throws when there is none. */
  readonly add = async (path: string): Promise<Repo> => {
    const added = await this.#client.repos.add(path)
    const { repos } = this.state.get()
    const all = [...repos.filter(({ id }) => id !== added.id), added]
    const byPath = all.toSorted((a, b) => (a.path < b.path ? -1 : 1))
    this.state.set({ ...this.state.get(), repos: byPath })
    return added
  }

  async #update(read: () => Promise<Partial<Lists>>): Promise<void> {
    try {
      const patch = await read()
      this.state.set({ ...this.state.get(), ...patch, problem: undefined })
    } catch (error) {
      this.state.set({ ...this.state.get(), problem: problemOf(error) })
    }
  }
}

function present(repos: readonly Repo[]): Pick<Lists, 'repos'> {
  return { repos: repos.filter(({ missing }) => !missing) }
}

function usable(allAgents: readonly Extension[]): Pick<Lists, 'agents' | 'allAgents'> {
  return { agents: allAgents.filter(({ enabled }) => enabled), allAgents }
}
