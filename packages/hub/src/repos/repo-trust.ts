// Whether an agent may run in a repository: running one runs what the repository's agent configuration says.
import { HubError } from '../errors.js'
import type { Log } from '../log.js'
import type { Database } from '../store/database.js'
import { readAgentConfig } from './trust.js'

export class RepoTrust {
  readonly #mode: 'root' | 'ask'
  readonly #log: Log
  readonly #find
  readonly #set

  /** `root`: everything under the root that the person named is trusted. `ask`: each repository, and its configuration. */
  constructor(options: { db: Database; mode: 'root' | 'ask'; log: Log }) {
    this.#mode = options.mode
    this.#log = options.log
    this.#find = options.db.prepare('SELECT trustedHash FROM Repo WHERE id = ?')
    this.#set = options.db.prepare('UPDATE Repo SET trustedHash = ? WHERE id = ?')
  }

  /** Throws `repo_untrusted` with the files in question; nothing may have been started before. */
  async require(repoId: string, path: string): Promise<void> {
    if (this.#mode === 'root') return
    const { hash, files } = await readAgentConfig(path)
    const row = this.#find.get(repoId) as { trustedHash: string | null } | undefined
    if (row?.trustedHash === hash) return
    this.#log.warn({ security: true, repoId }, 'an agent was refused in an untrusted repository')
    throw new HubError('repo_untrusted', {
      repoId,
      files,
      hasChanged: typeof row?.trustedHash === 'string',
    })
  }

  /** Trusts the repository with the configuration it has now. */
  async trust(repoId: string, path: string): Promise<{ readonly files: readonly unknown[] }> {
    const { hash, files } = await readAgentConfig(path)
    this.#set.run(hash, repoId)
    this.#log.info({ security: true, repoId }, 'a repository was trusted')
    return { files }
  }
}
