// The files of a repository for `@` mentions: tracked and untracked, but not ignored, found by a few letters.
import type { RepoFiles as FoundFiles } from '@quayside/protocol'
import { isInnerPath } from './git/git.js'
import { openGitView } from './git/git-view.js'
import { bestMatches, type Candidate, toCandidate } from './fuzzy-match.js'

type Listing = {
  readonly candidates: Promise<readonly Candidate[]>
  freshUntil: number
}

const FRESH_MS = 5_000
/** A slow listing is cached longer, so that typing does not list files all the time. */
const FRESH_PER_LISTING_MS = 20
const MAX_REPOS = 20
const MAX_FILES = 200_000

export class RepoFiles {
  readonly #listings = new Map<string, Listing>()

  async find(repoPath: string, query: string, limit: number): Promise<FoundFiles> {
    const candidates = await this.#list(repoPath)
    return { files: bestMatches(candidates, query, limit), total: candidates.length }
  }

  #list(repoPath: string): Promise<readonly Candidate[]> {
    const known = this.#listings.get(repoPath)
    if (known !== undefined && performance.now() < known.freshUntil) return known.candidates
    const listing = { candidates: this.#read(repoPath), freshUntil: Infinity }
    this.#keep(repoPath, listing)
    return listing.candidates
  }

  async #read(repoPath: string): Promise<readonly Candidate[]> {
    const startedAt = performance.now()
    try {
      const candidates = (await listFiles(repoPath)).map(toCandidate)
      const tookMs = performance.now() - startedAt
      const known = this.#listings.get(repoPath)
      if (known)
        known.freshUntil = performance.now() + Math.max(FRESH_MS, tookMs * FRESH_PER_LISTING_MS)
      return candidates
    } catch (error) {
      this.#listings.delete(repoPath)
      throw error
    }
  }

  #keep(repoPath: string, listing: Listing): void {
    this.#listings.delete(repoPath)
    this.#listings.set(repoPath, listing)
    const [oldest] = this.#listings.keys()
    if (this.#listings.size > MAX_REPOS && oldest !== undefined) this.#listings.delete(oldest)
  }
}

/** Existing tracked files, and untracked files that are not ignored. */
export async function listFiles(repoPath: string): Promise<string[]> {
  await using view = await openGitView(repoPath)
  const list = async (...options: string[]) =>
    (await view.run(['ls-files', '-z', ...options])).toString('utf8').split('\0')
  const [all, deleted] = await Promise.all([
    list('--cached', '--others', '--exclude-standard'),
    list('--deleted'),
  ])
  const gone = new Set(deleted)
  const isFile = (path: string) => isInnerPath(path) && !path.endsWith('/') && !gone.has(path)
  return [...new Set(all)].filter(isFile).slice(0, MAX_FILES)
}
