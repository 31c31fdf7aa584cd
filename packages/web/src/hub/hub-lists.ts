// The hub's repositories and agents: loaded at the start, and again after anything that may change them.
import type { AgentChatClient } from '@quayside/client'
import type { Clone, Extension, Repo } from '@quayside/protocol'
import { problemOf } from '../shared/problem.js'
import { Store } from '../shared/store.js'

export type Lists = {
  readonly isLoaded: boolean
  readonly problem: string | undefined
  readonly repos: readonly Repo[]
  /** The maximum number of active sessions. */
  readonly maxActive: number | undefined
  /** The agents that had sessions at the time of loading. */
  readonly extensionIds: readonly string[]
  /** The usable agents; the settings list all of them. */
  readonly agents: readonly Extension[]
  readonly allAgents: readonly Extension[]
}

const CLONE_LOOK_MS = 500

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
  /** Ids of repositories that were not listed. */
  readonly #sought = new Set<string>()

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

  /** Loads the repositories again when one of these has never been looked for: it may be new. */
  readonly find = async (repoIds: readonly string[]): Promise<void> => {
    if (repoIds.every((id) => this.#sought.has(id))) return
    for (const id of repoIds) this.#sought.add(id)
    await this.#update(async () => present(await this.#client.repos.list()))
  }

  /** Makes the hub scan for repositories. */
  readonly scan = (): Promise<void> =>
    this.#update(async () => present(await this.#client.repos.scan()))

  /**
   * Registers the repository that contains a folder. Throws when there is none. One outside of the root folders needs
   * the confirmation of an admin.
   */
  readonly add = async (path: string, isConfirmed = false): Promise<Repo> => {
    const confirmation = isConfirmed ? ({ confirmOutsideRoot: true } as const) : {}
    return this.#include(await this.#client.http.call('POST /api/repos', { path, ...confirmation }))
  }

  /** Clones an address. Reports each state; the repository is undefined when it failed or was cancelled. */
  readonly clone = async (
    url: string,
    onChange: (clone: Clone) => void,
  ): Promise<Repo | undefined> => {
    const { http } = this.#client
    let clone = await http.call('POST /api/clones', { url })
    onChange(clone)
    while (clone.state === 'running') {
      await new Promise((resolve) => setTimeout(resolve, CLONE_LOOK_MS))
      clone = await http.call('GET /api/clones/{cloneId}', { cloneId: clone.id })
      onChange(clone)
    }
    const { repoId } = clone
    if (repoId === undefined) return undefined
    return this.#include(await http.call('GET /api/repos/{repoId}', { repoId }))
  }

  readonly cancelClone = async (cloneId: string): Promise<void> => {
    await this.#client.http.call('DELETE /api/clones/{cloneId}', { cloneId })
  }

  #include(added: Repo): Repo {
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
