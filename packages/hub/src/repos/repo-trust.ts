// Decides whether an agent may run in a repository: an agent runs the commands that its configuration there names.
import { HubError } from '../errors.js'
import type { Log } from '../log.js'
import type { Database } from '../store/database.js'
import { type AgentConfigPaths, readAgentConfig } from './trust.js'

export type RepoTrustOptions = {
  readonly db: Database
  readonly mode: 'root' | 'ask'
  /** Called at each use, because extensions can be added while the hub runs. */
  readonly configPaths: () => AgentConfigPaths
  readonly log: Log
}

export class RepoTrust {
  readonly #mode: 'root' | 'ask'
  readonly #configPaths: () => AgentConfigPaths
  readonly #log: Log
  readonly #find
  readonly #set

  /** `root`: trusts all repositories under the workspace root. `ask`: trusts each repository with its configuration. */
  constructor(options: RepoTrustOptions) {
    this.#mode = options.mode
    this.#configPaths = options.configPaths
    this.#log = options.log
    this.#find = options.db.prepare('SELECT trustedHash FROM Repo WHERE id = ?')
    this.#set = options.db.prepare('UPDATE Repo SET trustedHash = ? WHERE id = ?')
  }

  /** Throws `repo_untrusted` with the configuration files. Call it before any process is started. */
  async require(repoId: string, path: string): Promise<void> {
    if (this.#mode === 'root') return
    const { hash, files } = await readAgentConfig(path, this.#configPaths())
    const row = this.#find.get(repoId) as { trustedHash: string | null } | undefined
    if (row?.trustedHash === hash) return
    this.#log.warn({ security: true, repoId }, 'rejected an agent in an untrusted repository')
    throw new HubError('repo_untrusted', {
      repoId,
      files,
      hasChanged: typeof row?.trustedHash === 'string',
    })
  }

  /** Trusts the repository with the configuration it has now. */
  async trust(repoId: string, path: string): Promise<{ readonly files: readonly unknown[] }> {
    const { hash, files } = await readAgentConfig(path, this.#configPaths())
    this.#set.run(hash, repoId)
    this.#log.info({ security: true, repoId }, 'a repository was trusted')
    return { files }
  }
}
