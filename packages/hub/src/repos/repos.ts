// The known repositories: found by scanning the root folders, or added by their path. Stored as Repo rows with
// stable ids.
import { realpathSync } from 'node:fs'
import { isAbsolute, join, resolve, sep } from 'node:path'
import type { Repo } from '@quayside/protocol'
import { v7 as uuidv7 } from 'uuid'
import { HubError } from '../errors.js'
import type { Log } from '../log.js'
import type { FoundRepo, RepoRow, RepoStore } from '../store/repo-store.js'
import { findBranch, findRepositories, findRepositoryAround, repositoryName } from './scan.js'

/** A folder by its real path, and the repository it lies in. */
export type RepoFolder = { readonly repoId: string; readonly path: string }

export type ReposOptions = {
  readonly store: RepoStore
  readonly roots: readonly string[]
  readonly log: Log
}

export class Repos {
  readonly #options: ReposOptions
  readonly #store: RepoStore
  #scanning: Promise<void> | undefined
  #nextScan: Promise<void> | undefined
  #isClosed = false

  constructor(options: ReposOptions) {
    this.#options = options
    this.#store = options.store
  }

  /**
   * Searches the roots for repositories. One that has disappeared is marked `missing`.
   * A call during a scan waits for the next scan, so that the result is never older than the call.
   */
  scan(): Promise<void> {
    if (this.#scanning === undefined) {
      this.#scanning = this.#scan().finally(() => (this.#scanning = undefined))
      return this.#scanning
    }
    this.#nextScan ??= this.#scanning.then(
      () => this.#scanNext(),
      () => this.#scanNext(),
    )
    return this.#nextScan
  }

  #scanNext(): Promise<void> {
    this.#nextScan = undefined
    return this.scan()
  }

  async #scan(): Promise<void> {
    const { roots, log } = this.#options
    const startedAt = Date.now()
    const places = realRoots(roots)
    const known = this.#store.list().map(({ path }) => path)
    const found = new Set((await Promise.all(places.map(findRepositories))).flat())
    const others = known.filter(
      (path) => !found.has(path) && places.some((root) => isInside(path, root)),
    )
    for (const path of await stillThere(others)) found.add(path)
    if (this.#isClosed) return
    this.#store.replaceAll([...found].map(newRepo), startedAt)
    log.info({ roots, found: found.size, ms: Date.now() - startedAt }, 'repositories scanned')
  }

  /** A running scan stores nothing from now on, because the database may be closed. */
  close(): void {
    this.#isClosed = true
  }

  /** Waits for a running scan, such as the first one after the start. */
  async list(): Promise<Repo[]> {
    await this.#scanning
    const rows = this.#store.list()
    return Promise.all(rows.map((row) => withBranch(toRepo(row))))
  }

  async require(id: string): Promise<Repo> {
    const row = this.#store.find(id)
    if (row === undefined) throw new HubError('repo_not_found', { repoId: id })
    return withBranch(toRepo(row))
  }

  /** Finds the innermost repository around a folder, and adds it if it is not known yet. */
  async findAround(folder: string): Promise<RepoFolder | undefined> {
    const path = isAbsolute(folder) ? findRealPath(folder) : undefined
    const root = path && realRoots(this.#options.roots).find((one) => isInside(path, one))
    if (path === undefined || root === undefined) return undefined
    const repository = await findRepositoryAround(path, root)
    if (repository === undefined) return undefined
    return { repoId: this.#store.remember(newRepo(repository), Date.now()), path }
  }

  async requireAround(folder: string): Promise<RepoFolder> {
    const found = await this.findAround(folder)
    if (found) return found
    const { roots, log } = this.#options
    if (!isAbsolute(folder))
      throw new HubError('repo_not_found', {
        message: `${folder} is not an absolute path. Use one such as ${join(roots[0] ?? sep, 'project')}.`,
      })
    const path = findRealPath(folder)
    // Never reveal whether a folder outside of the roots exists.
    if (![...roots, ...realRoots(roots)].some((root) => isInside(path ?? resolve(folder), root))) {
      log.warn({ security: true, path: folder }, 'rejected a folder outside of the root folders')
      throw new HubError('path_outside_root', {
        message: `${folder} is outside of the hub's root folders (${roots.join(', ')}). Start the hub with a --root around it.`,
      })
    }
    throw new HubError('repo_not_found', {
      message:
        path === undefined
          ? `There is no folder ${folder} on the hub's machine.`
          : `${folder} lies in no git repository. Run "git init" in it, or choose another folder.`,
    })
  }

  /** The real path of a repository, which must resolve to a folder inside a root folder now. */
  requireInsideRoot(id: string): { readonly path: string } {
    const { roots, log } = this.#options
    const row = this.#store.find(id)
    if (row === undefined) {
      log.warn({ repoId: id }, 'rejected a session in an unknown repository')
      throw new HubError('repo_not_found', { repoId: id })
    }
    const path = findRealPath(row.path)
    if (path === undefined)
      throw new HubError('repo_not_found', {
        message: `The repository is no longer at ${row.path}. It was moved or deleted.`,
        repoId: id,
      })
    if (realRoots(roots).some((root) => isInside(path, root))) return { path }
    log.warn({ security: true, repoId: id, path }, 'rejected a session outside of the root folders')
    throw new HubError('path_outside_root', { repoId: id })
  }
}

export function toRepo(row: RepoRow): Repo {
  const { id, name, path, missing, createdAt } = row
  return { id, name, path, missing, createdAt: new Date(createdAt).toISOString() }
}

/** The id is for a repository that is not known yet. */
function newRepo(path: string): FoundRepo {
  return { id: uuidv7(), path, name: repositoryName(path) }
}

/** For repositories that were named by their path: a scan does not look everywhere. */
async function stillThere(paths: readonly string[]): Promise<string[]> {
  const isThere = await Promise.all(paths.map((path) => findRepositoryAround(path, path)))
  return paths.filter((path, at) => isThere[at] !== undefined && findRealPath(path) === path)
}

async function withBranch(repo: Repo): Promise<Repo> {
  const branch = await findBranch(repo.path)
  return branch === undefined ? repo : { ...repo, branch }
}

function realRoots(roots: readonly string[]): string[] {
  return roots.map(findRealPath).filter((root) => root !== undefined)
}

export function findRealPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

/** Compares whole names: `/ws-evil` is not inside `/ws`. */
export function isInside(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
}
