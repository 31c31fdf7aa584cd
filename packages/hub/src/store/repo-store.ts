// Port: the repositories that the hub knows, and the agent configuration that was trusted in each.
// Synchronous: few rows, asked for by every command. An engine on another machine keeps them in memory.

export type RepoRow = {
  readonly id: string
  readonly name: string
  readonly path: string
  readonly missing: boolean
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

export type FoundRepo = { readonly id: string; readonly name: string; readonly path: string }

export type RepoStore = {
  find(id: string): RepoRow | undefined
  /** Without missing ones, by path. */
  list(): readonly RepoRow[]
  /** Returns the row's id: a repository that is known by its path keeps its own. */
  remember(repo: FoundRepo, now: number): string
  /** The result of a whole scan: the others become missing. */
  replaceAll(found: readonly FoundRepo[], now: number): void
  /** Of the agent configuration that a person has trusted, the latest first. */
  trustedHashes(id: string): readonly string[]
  /** Older ones beyond a limit are forgotten. */
  addTrustedHash(id: string, hash: string): void
}
