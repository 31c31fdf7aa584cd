// Decides if an agent may run in a repository: it would execute the repository's own agent configuration.
import { HubError } from '../errors.js'
import type { Log } from '../log.js'
import type { RepoStore } from '../store/repo-store.js'
import { readAgentConfig } from './trust.js'

export class RepoTrust {
  readonly #mode: 'root' | 'ask'
  readonly #log: Log
  readonly #store: RepoStore

  /** `root`: every repository under a workspace root is trusted. `ask`: each repository is trusted with its configuration. */
  constructor(options: { store: RepoStore; mode: 'root' | 'ask'; log: Log }) {
    this.#mode = options.mode
    this.#log = options.log
    this.#store = options.store
  }

  /** Throws `repo_untrusted` with the files in question. To be called before anything is started. */
  async require(repoId: string, path: string): Promise<void> {
    if (this.#mode === 'root') return
    const { hash, files } = await readAgentConfig(path)
    const trustedHash = this.#store.findTrustedHash(repoId)
    if (trustedHash === hash) return
    this.#log.warn({ security: true, repoId }, 'an agent was refused in an untrusted repository')
    throw new HubError('repo_untrusted', {
      repoId,
      files,
      hasChanged: trustedHash !== undefined,
    })
  }

  /** Trusts the repository with the configuration it has now. */
  async trust(repoId: string, path: string): Promise<{ readonly files: readonly unknown[] }> {
    const { hash, files } = await readAgentConfig(path)
    this.#store.setTrustedHash(repoId, hash)
    this.#log.info({ security: true, repoId }, 'a repository was trusted')
    return { files }
  }
}
