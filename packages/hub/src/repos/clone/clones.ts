// Clones repositories into a root folder. git works in a hidden folder beside the new one, which gets its name when it is
// complete: no half repository is ever listed. A record in the data directory lets the next start remove what a crash left.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { lstat, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Clone } from '@quayside/protocol'
import { v7 as uuidv7 } from 'uuid'
import { HubError, messageOfError } from '../../errors.js'
import { type Log, logRejection } from '../../log.js'
import { CLONES_FOLDER } from '../../store/data-files.js'
import { cloneRepository } from '../git/git-clone.js'
import { findRealPath, isInside, type Repos } from '../repos.js'
import type { RootFolders } from '../root-folders.js'
import { findRepositoryAround } from '../scan.js'
import { readCloneUrl } from './clone-source.js'

export type ClonesOptions = {
  readonly repos: Repos
  readonly roots: RootFolders
  /** Marks git and its helpers as this hub's, so that they end with it, also in a crash. */
  readonly ownEnv: () => Readonly<Record<string, string>>
  readonly log: Log
}

type CloneRequest = { readonly url: string; readonly name?: string }

type RunningClone = {
  clone: Clone
  readonly abort: AbortController
  ended: Promise<void>
}

const MAX_RUNNING = 3
const MAX_KEPT = 20
const PARTIAL_PREFIX = '.quayside-clone-'

export class Clones {
  readonly #options: ClonesOptions
  readonly #records: string
  readonly #clones = new Map<string, RunningClone>()

  constructor(options: ClonesOptions) {
    this.#options = options
    this.#records = join(options.roots.dataDir, CLONES_FOLDER)
    mkdirSync(this.#records, { recursive: true, mode: 0o700 })
  }

  /** Removes the folders that clones of an earlier hub left behind. */
  async sweep(): Promise<void> {
    for (const id of readdirSync(this.#records)) {
      if (this.#clones.has(id)) continue
      const partial = readFileSync(join(this.#records, id), 'utf8')
      if (basename(partial) === `${PARTIAL_PREFIX}${id}`)
        await rm(partial, { recursive: true, force: true })
      rmSync(join(this.#records, id), { force: true })
    }
  }

  list(): Clone[] {
    return [...this.#clones.values()].map(({ clone }) => clone)
  }

  require(id: string): Clone {
    return this.#require(id).clone
  }

  /** Resolves when git has been started. */
  async start({ url: text, name: wanted }: CloneRequest): Promise<Clone> {
    const { url, protocol, folder, name } = readCloneUrl(text)
    const chosen = wanted ?? name
    if (chosen === undefined)
      throw new HubError('bad_request', {
        message: 'The address does not end with a name. Send the name of the new folder.',
      })
    if (folder !== undefined) this.#requireInside(folder)
    const root = await this.#chooseRoot()
    const path = join(root, chosen)
    await requireFree(path)
    // No await from here on, so that concurrent calls cannot exceed the limit.
    if (this.list().filter(({ state }) => state === 'running').length >= MAX_RUNNING)
      throw new HubError('clone_limit')
    const id = uuidv7()
    const partial = join(root, `${PARTIAL_PREFIX}${id}`)
    writeFileSync(join(this.#records, id), partial, { mode: 0o600 })
    const startedAt = new Date().toISOString()
    const running: RunningClone = {
      clone: { id, url, path, state: 'running', startedAt },
      abort: new AbortController(),
      ended: Promise.resolve(),
    }
    this.#clones.set(id, running)
    running.ended = this.#run(running, { protocol, partial })
    logRejection(this.#options.log, 'cloning a repository', running.ended)
    this.#forgetOldest()
    return running.clone
  }

  /** Resolves when git has ended and the partial folder is gone. */
  async cancel(id: string): Promise<Clone> {
    const running = this.#require(id)
    running.abort.abort()
    await running.ended
    return running.clone
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clones.keys()].map((id) => this.cancel(id)))
  }

  async #run(
    running: RunningClone,
    { protocol, partial }: { readonly protocol: string; readonly partial: string },
  ): Promise<void> {
    const { clone, abort } = running
    const { repos, ownEnv, log } = this.#options
    const { signal } = abort
    try {
      await cloneRepository({
        url: clone.url,
        protocol,
        target: partial,
        env: ownEnv(),
        signal,
        onProgress: (progress) => {
          running.clone = { ...running.clone, ...progress }
        },
      })
      signal.throwIfAborted()
      await requireFree(clone.path)
      await rename(partial, clone.path)
      const { repoId } = await repos.requireAround(clone.path)
      running.clone = { ...clone, state: 'done', repoId }
      log.info({ url: clone.url, path: clone.path }, 'repository cloned')
    } catch (error) {
      running.clone = signal.aborted
        ? { ...clone, state: 'cancelled' }
        : { ...clone, state: 'failed', problem: messageOfError(error) }
      log.info({ url: clone.url, state: running.clone.state }, 'repository not cloned')
    } finally {
      await rm(partial, { recursive: true, force: true })
      rmSync(join(this.#records, clone.id), { force: true })
    }
  }

  #require(id: string): RunningClone {
    const found = this.#clones.get(id)
    if (found === undefined) throw new HubError('clone_not_found')
    return found
  }

  #requireInside(folder: string): void {
    const path = findRealPath(folder)
    const roots = this.#options.roots.all.map((root) => findRealPath(root) ?? root)
    if (path === undefined || !roots.some((root) => isInside(path, root)))
      throw new HubError('path_outside_root', {
        message: 'A file address is cloned from inside the root folders only.',
      })
  }

  /** A repository inside another one would be a part of its changes. */
  async #chooseRoot(): Promise<string> {
    const { configured } = this.#options.roots
    for (const root of configured)
      if ((await findRepositoryAround(root, root)) === undefined) return findRealPath(root) ?? root
    const [first = '.'] = configured
    return findRealPath(first) ?? first
  }

  #forgetOldest(): void {
    for (const [id, { clone }] of this.#clones)
      if (this.#clones.size > MAX_KEPT && clone.state !== 'running') this.#clones.delete(id)
  }
}

async function requireFree(path: string): Promise<void> {
  const taken = await lstat(path).then(
    () => true,
    () => false,
  )
  if (taken)
    throw new HubError('folder_taken', {
      message: `There is already ${path}. Choose another name for the new folder.`,
    })
}
