// The known repositories: found by scanning the root folders, or added by their path. Stored as Repo rows with
// stable ids.
import { realpathSync } from 'node:fs'
import { isAbsolute, join, parse, resolve, sep } from 'node:path'
import type { Repo, RepoSettings } from '@quayside/protocol'
import type { changeRepoSchema } from '@quayside/protocol/schemas'
import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import { HubError } from '../errors.js'
import type { Log } from '../log.js'
import type { FoundRepo, RepoRow, RepoStore } from '../store/repo-store.js'
import type { RootFolders } from './root-folders.js'
import { findBranch, findRepositories, findRepositoryAround, repositoryName } from './scan.js'

/** A folder by its real path, and the repository it lies in. */
export type RepoFolder = { readonly repoId: string; readonly path: string }

export type ReposOptions = {
  readonly store: RepoStore
  readonly roots: RootFolders
  /** Of repositories without a setting for it. */
  readonly defaultWorkspace: NonNullable<RepoSettings['workspace']>
  readonly log: Log
}

/** A repository that sessions may work in. */
export type UsableRepo = {
  readonly path: string
  readonly settings: RepoSettings
  /** The place of new sessions by default. */
  readonly workspace: NonNullable<RepoSettings['workspace']>
}

export class Repos {
  readonly #options: ReposOptions
  readonly #store: RepoStore
  readonly #roots: RootFolders
  #scanning: Promise<void> | undefined
  #nextScan: Promise<void> | undefined
  #isClosed = false

  constructor(options: ReposOptions) {
    this.#options = options
    this.#store = options.store
    this.#roots = options.roots
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
    const { log } = this.#options
    const roots = this.#roots.all
    const startedAt = Date.now()
    const places = realRoots(roots)
    const known = this.#store.list().map(({ path }) => path)
    const found = new Set((await Promise.all(places.map(findRepositories))).flat())
    const others = known.filter(
      (path) => !found.has(path) && places.some((root) => isInside(path, root)),
    )
    for (const path of await stillThere(others)) found.add(path)
    if (this.#isClosed) return
    const endedAt = Date.now()
    await this.#store.replaceAll([...found].map(newRepo), { startedAt, endedAt })
    log.info({ roots, found: found.size, ms: endedAt - startedAt }, 'repositories scanned')
  }

  /** A running scan stores nothing from now on, because the database may be closed. */
  close(): void {
    this.#isClosed = true
  }

  /** Waits for a running scan, such as the first one after the start. */
  async list(): Promise<Repo[]> {
    await this.#scanning
    const rows = this.#store.list()
    return Promise.all(rows.map((row) => this.#describe(row)))
  }

  async require(id: string): Promise<Repo> {
    const row = this.#store.find(id)
    if (row === undefined) throw new HubError('repo_not_found', { repoId: id })
    return this.#describe(row)
  }

  #workspaceOf({ settings }: RepoRow): UsableRepo['workspace'] {
    return settings?.workspace ?? this.#options.defaultWorkspace
  }

  async #describe(row: RepoRow): Promise<Repo> {
    const branch = await findBranch(row.path)
    const workspace = this.#workspaceOf(row)
    return { ...toRepo(row), workspace, ...(branch !== undefined && { branch }) }
  }

  /** Settings that are null are removed. */
  async change(id: string, changes: z.infer<typeof changeRepoSchema>['settings']): Promise<Repo> {
    const { settings = {} } = await this.require(id)
    const next = Object.entries({ ...settings, ...changes }).filter(([, value]) => value !== null)
    await this.#store.setSettings(id, Object.fromEntries(next))
    return this.require(id)
  }

  /** Finds the innermost repository around a folder, and adds it if it is not known yet. */
  async findAround(folder: string): Promise<RepoFolder | undefined> {
    const path = isAbsolute(folder) ? findRealPath(folder) : undefined
    const root = path && realRoots(this.#roots.all).find((one) => isInside(path, one))
    if (path === undefined || root === undefined) return undefined
    const repository = await findRepositoryAround(path, root)
    if (repository === undefined) return undefined
    return { repoId: await this.#store.remember(newRepo(repository), Date.now()), path }
  }

  async requireAround(folder: string): Promise<RepoFolder> {
    const found = await this.findAround(folder)
    if (found) return found
    const roots = this.#roots.all
    const path = isAbsolute(folder) ? findRealPath(folder) : undefined
    const wanted = path ?? resolve(folder)
    // Never reveal whether a folder outside of the roots exists.
    if (
      isAbsolute(folder) &&
      ![...roots, ...realRoots(roots)].some((root) => isInside(wanted, root))
    ) {
      const { log } = this.#options
      log.warn({ security: true, path: folder }, 'rejected a folder outside of the root folders')
      throw new HubError('path_outside_root', {
        message: `${folder} is outside of the hub's root folders (${roots.join(', ')}). An admin can add it and confirm that, or start the hub with a --root around it.`,
      })
    }
    return this.#throwNotFound(folder, path)
  }

  /**
   * Adds the repository around a folder, wherever it is. A repository outside of the root folders becomes one. Only for
   * an admin who has confirmed it.
   */
  async addAnywhere(folder: string): Promise<RepoFolder> {
    const path = isAbsolute(folder) ? findRealPath(folder) : undefined
    const repository = path && (await findRepositoryAround(path, parse(path).root))
    if (path === undefined || repository === undefined) return this.#throwNotFound(folder, path)
    const known = await this.findAround(path)
    if (known) return known
    if (isInside(findRealPath(this.#roots.dataDir) ?? this.#roots.dataDir, repository))
      throw new HubError('path_outside_root', {
        message: `${repository} contains the hub's own data, so it cannot be added. Choose a repository elsewhere.`,
      })
    this.#roots.add(repository)
    this.#options.log.info({ security: true, path: repository }, 'added a root folder')
    return this.requireAround(path)
  }

  #throwNotFound(folder: string, path: string | undefined): never {
    if (!isAbsolute(folder)) {
      const example = join(this.#roots.all[0] ?? sep, 'project')
      throw new HubError('repo_not_found', {
        message: `${folder} is not an absolute path. Use one such as ${example}.`,
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
  requireInsideRoot(id: string): UsableRepo {
    const { log } = this.#options
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
    if (realRoots(this.#roots.all).some((root) => isInside(path, root)))
      return { path, settings: row.settings ?? {}, workspace: this.#workspaceOf(row) }
    log.warn({ security: true, repoId: id, path }, 'rejected a session outside of the root folders')
    throw new HubError('path_outside_root', { repoId: id })
  }
}

export function toRepo({ id, name, path, missing, createdAt, settings }: RepoRow): Repo {
  const facts = { id, name, path, missing, createdAt: new Date(createdAt).toISOString() }
  return settings ? { ...facts, settings } : facts
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
