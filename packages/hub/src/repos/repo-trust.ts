// Decides if an agent may run in a repository: it would execute the repository's own agent configuration.
import { HubError } from '../errors.js'
import type { Log } from '../log.js'
import type { RepoStore } from '../store/repo-store.js'
import { type AgentConfigPaths, readAgentConfig } from './trust.js'

export type RepoTrustOptions = {
  readonly store: RepoStore
  readonly mode: 'root' | 'ask'
  /** Called at each use, because extensions can be added while the hub runs. */
  readonly configPaths: () => AgentConfigPaths
  readonly log: Log
}

/** A repository, and the folder in it where the agent works: configuration counts in every folder down to it. */
export type AgentFolder = { readonly path: string; readonly cwd: string }

export class RepoTrust {
  readonly #mode: 'root' | 'ask'
  readonly #configPaths: () => AgentConfigPaths
  readonly #log: Log
  readonly #store: RepoStore

  /** `root`: every repository in a root folder is trusted. `ask`: each repository is trusted with its configuration. */
  constructor(options: RepoTrustOptions) {
    this.#mode = options.mode
    this.#configPaths = options.configPaths
    this.#log = options.log
    this.#store = options.store
  }

  /** `cwd` is the folder the agent will work in. Throws `repo_untrusted` with the files in question. To be called before anything is started. */
  async require(repoId: string, { path, cwd }: AgentFolder): Promise<void> {
    if (this.#mode === 'root') return
    const { hash, files } = await readAgentConfig(path, this.#configPaths(), cwd)
    const trusted = this.#store.trustedHashes(repoId)
    if (trusted.includes(hash)) return
    this.#log.warn({ security: true, repoId }, 'rejected an agent in an untrusted repository')
    const hasChanged = trusted.length > 0
    throw new HubError('repo_untrusted', { repoId, cwd, files, hash, hasChanged })
  }

  /** Trusts the configuration that the folder has now. Throws `repo_untrusted` when it is not the one that was shown. */
  async trust(
    repoId: string,
    { path, cwd }: AgentFolder,
    shownHash?: string,
  ): Promise<{ readonly files: readonly unknown[] }> {
    const { hash, files } = await readAgentConfig(path, this.#configPaths(), cwd)
    if (shownHash !== undefined && shownHash !== hash)
      throw new HubError('repo_untrusted', { repoId, cwd, files, hash, hasChanged: true })
    await this.#store.addTrustedHash(repoId, hash)
    this.#log.info({ security: true, repoId }, 'a repository was trusted')
    return { files }
  }
}
