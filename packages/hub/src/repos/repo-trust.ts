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

  /** Throws `repo_untrusted` with the files in question. To be called before anything is started. */
  async require(repoId: string, path: string): Promise<void> {
    if (this.#mode === 'root') return
    const { hash, files } = await readAgentConfig(path, this.#configPaths())
    const trustedHash = this.#store.findTrustedHash(repoId)
    if (trustedHash === hash) return
    this.#log.warn({ security: true, repoId }, 'rejected an agent in an untrusted repository')
    throw new HubError('repo_untrusted', {
      repoId,
      files,
      hasChanged: trustedHash !== undefined,
    })
  }

  /** Trusts the repository with the configuration it has now. */
  async trust(repoId: string, path: string): Promise<{ readonly files: readonly unknown[] }> {
    const { hash, files } = await readAgentConfig(path, this.#configPaths())
    this.#store.setTrustedHash(repoId, hash)
    this.#log.info({ security: true, repoId }, 'a repository was trusted')
    return { files }
  }
}
