// Notices changes of a work tree: in every folder that git would look at, and in git's own folders. Works only where the system
// reports every change in order. In case of doubt the tree counts as changed.
import { type FSWatcher, statSync, watch } from 'node:fs'
import { readdir, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Log } from '../../log.js'
import { findGitFolder, readSmallFile } from '../git/git-folder.js'
import { findIgnoredFolders } from './ignored-folders.js'
import type { WatchQueue } from './watch-queue.js'

export type TreeWatchDeps = {
  readonly workTree: string
  /** Opened at the first call. */
  readonly queue: () => WatchQueue
  readonly onChange: () => void
  readonly log: Log
}

/** A moment in the life of a work tree, to ask for changes since then. */
export type Mark = number

type Folder = {
  /** Relative to the work tree; `.` for its top. */
  readonly path: string
  readonly watcher: FSWatcher
  readonly inner: Map<string, Folder>
  isOpen: boolean
}

const MAX_FOLDERS = 5_000
const PARALLEL_READS = 32
const MAX_ATTEMPTS = 3
/** Local file systems, whose changes all go through this kernel: ext, XFS, Btrfs, F2FS, ZFS, tmpfs and overlay. */
const LOCAL = new Set([
  0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x2fc12fc1, 0x01021994, 0x794c7630,
])
/** Changes of these files can change which folders are ignored. */
const RULES = new Set(['.gitignore', 'exclude', 'index', 'config', 'config.worktree'])
/** Files in git's folders that say nothing about the work tree. */
const UNRELATED = /\.lock$|^(FETCH_HEAD|COMMIT_EDITMSG)$/

export class TreeWatch implements Disposable {
  readonly #deps: TreeWatchDeps
  #state: 'open' | 'unwatchable' | 'closed' = 'open'
  /** The number of changes so far. */
  #changes: Mark = 0
  #root: Folder | undefined
  #rootId = ''
  #folderCount = 0
  /** Folders in which a name has appeared or disappeared. */
  readonly #stale = new Set<Folder>()
  #ignored: ReadonlySet<string> = new Set()
  #hasNewRules = true
  #hasLostEvents = false
  /** Repositories inside the work tree, such as submodules. git looks at their commit only. */
  readonly #nested = new Set<string>()
  #gitWatchers: FSWatcher[] = []
  #covering: Promise<Mark | undefined> | undefined

  constructor(deps: TreeWatchDeps) {
    this.#deps = deps
  }

  /** Watches all folders. Returns the mark for a snapshot that is taken from now on; undefined when changes could be missed. */
  cover(): Promise<Mark | undefined> {
    this.#covering ??= this.#cover().finally(() => (this.#covering = undefined))
    return this.#covering
  }

  /** False also when it is not certain. */
  async isUnchangedSince(mark: Mark): Promise<boolean> {
    if (!this.#isAt(mark) || this.#rootId !== idOf(this.#deps.workTree)) return false
    return (await this.#deps.queue().isDrained()) && this.#isAt(mark)
  }

  /** Events may have been lost. */
  lose(): void {
    this.#hasLostEvents = true
    this.#changes += 1
  }

  [Symbol.dispose](): void {
    this.#state = 'closed'
    this.#unwatch()
  }

  #isAt(mark: Mark): boolean {
    return this.#state === 'open' && this.#changes === mark
  }

  async #cover(): Promise<Mark | undefined> {
    const { workTree, log } = this.#deps
    try {
      for (let attempt = 0; attempt < MAX_ATTEMPTS && this.#state === 'open'; attempt++) {
        const mark = this.#changes
        await this.#update()
        if (this.#isAt(mark)) return mark
      }
    } catch (error) {
      if (this.#state === 'closed') return undefined
      log.info({ err: error, workTree }, 'the work tree is not watched; each prompt waits for git')
      this.#state = 'unwatchable'
      this.#unwatch()
    }
    return undefined
  }

  async #update(): Promise<void> {
    const { workTree } = this.#deps
    if (this.#hasLostEvents || this.#rootId !== idOf(workTree)) this.#unwatch()
    if (this.#root === undefined) await this.#watchRoot()
    const list = once(() => this.#listIgnored())
    if (this.#hasNewRules) await list()
    let waiting = [...this.#stale]
    this.#stale.clear()
    while (waiting.length > 0) {
      const some = waiting.splice(0, PARALLEL_READS)
      const found = await Promise.all(some.map((folder) => this.#read(folder, list)))
      waiting = [...waiting, ...found.flat()]
    }
    await this.#watchGit()
  }

  async #watchRoot(): Promise<void> {
    const { workTree } = this.#deps
    if (process.platform !== 'linux') throw new Error('Watching is supported on Linux only.')
    if (!LOCAL.has((await statfs(workTree)).type))
      throw new Error('Changes of this file system may come from elsewhere.')
    // Closed meanwhile: a new queue would stay.
    if (this.#state !== 'open') throw new Error('The watch is closed.')
    this.#deps.queue()
    this.#rootId = idOf(workTree)
    this.#hasLostEvents = false
    const root = this.#watchFolder('.')
    if (root === undefined) throw new Error('The folder has disappeared.')
    this.#stale.add(root)
    this.#root = root
  }

  /** Returns the folders in it that are watched from now on, and have to be read too. */
  async #read(folder: Folder, list: () => Promise<void>): Promise<Folder[]> {
    const { path } = folder
    const place = join(this.#deps.workTree, path)
    const entries = (await readdir(place, { withFileTypes: true }).catch(noneIfGone)) ?? []
    const hasGit = path !== '.' && entries.some(({ name }) => name === '.git')
    const isNested = hasGit && (await findGitFolder(place)) !== undefined
    if (!folder.isOpen) return []
    if (isNested) this.#nested.add(path)
    else this.#nested.delete(path)
    const isLookedAt = (name: string) => !isNested && name !== '.git'
    const folders = entries.filter((entry) => entry.isDirectory() && isLookedAt(entry.name))
    const names = new Set(folders.map(({ name }) => name))
    for (const name of folder.inner.keys()) if (!names.has(name)) this.#drop(folder, name)
    const unknown = () =>
      [...names].filter((n) => !folder.inner.has(n) && !this.#ignored.has(join(path, n)))
    // A new folder may be an ignored one.
    if (unknown().length > 0) await list()
    return unknown().flatMap((name) => this.#watchInner(folder, name) ?? [])
  }

  async #listIgnored(): Promise<void> {
    this.#hasNewRules = false
    const before = this.#ignored
    this.#ignored = await findIgnoredFolders(this.#deps.workTree)
    for (const path of before) {
      const parent = this.#ignored.has(path) ? undefined : this.#find(dirname(path))
      if (parent) this.#stale.add(parent)
    }
  }

  #find(path: string): Folder | undefined {
    if (path === '.') return this.#root
    return path
      .split('/')
      .reduce<Folder | undefined>((folder, name) => folder?.inner.get(name), this.#root)
  }

  #watchInner(parent: Folder, name: string): Folder | undefined {
    if (name.includes('\ufffd')) throw new Error('The name of a folder is not UTF-8.')
    if (!parent.isOpen) return undefined
    const folder = this.#watchFolder(join(parent.path, name))
    if (folder) parent.inner.set(name, folder)
    return folder
  }

  #watchFolder(path: string): Folder | undefined {
    if (this.#folderCount >= MAX_FOLDERS)
      throw new Error(`It has more than ${MAX_FOLDERS} folders.`)
    const watcher = this.#watch(join(this.#deps.workTree, path), (kind, name) => {
      if (kind === 'rename') {
        this.#stale.add(folder)
        // Another folder may take its place, and has to be watched then.
        if (name !== null) this.#drop(folder, name)
      }
      this.#note(name)
    })
    if (watcher === undefined) return undefined
    const folder: Folder = { path, watcher, inner: new Map(), isOpen: true }
    this.#folderCount += 1
    return folder
  }

  /** Undefined for a folder that does not exist. */
  #watch(
    path: string,
    onEvent: (kind: string, name: string | null) => void,
  ): FSWatcher | undefined {
    if (this.#state !== 'open') throw new Error('The watch is closed.')
    try {
      const watcher = watch(path, { persistent: false }, onEvent)
      return watcher.on('error', () => this.lose())
    } catch (error) {
      return noneIfGone(error)
    }
  }

  #note(name: string | null): void {
    const { queue, onChange } = this.#deps
    queue().count()
    this.#changes += 1
    if (name === null || RULES.has(name)) this.#hasNewRules = true
    onChange()
  }

  /** HEAD, the index, settings and the checked out branch, also of nested repositories. */
  async #watchGit(): Promise<void> {
    const { workTree } = this.#deps
    for (const watcher of this.#gitWatchers.splice(0)) watcher.close()
    for (const path of ['.', ...this.#nested]) {
      const git = await findGitFolder(join(workTree, path))
      if (git === undefined && path !== '.') continue
      if (git === undefined) throw new Error('There is no git repository in this folder.')
      // Watched before HEAD is read: when it changes meanwhile, the update is repeated.
      for (const folder of new Set([git.own, git.common])) this.#watchGitFolder(folder)
      const head = (await readSmallFile(join(git.own, 'HEAD'))) ?? ''
      for (const folder of ['info', 'reftable', ...foldersOfBranch(head)])
        this.#watchGitFolder(join(git.common, folder))
    }
  }

  #watchGitFolder(path: string): void {
    const watcher = this.#watch(path, (_kind, name) => {
      if (!UNRELATED.test(name ?? '')) this.#note(name)
    })
    if (watcher) this.#gitWatchers.push(watcher)
  }

  #drop(parent: Folder, name: string): void {
    const folder = parent.inner.get(name)
    if (folder === undefined) return
    parent.inner.delete(name)
    this.#close(folder)
  }

  #close(folder: Folder): void {
    folder.isOpen = false
    folder.watcher.close()
    this.#folderCount -= 1
    this.#stale.delete(folder)
    this.#nested.delete(folder.path)
    for (const inner of folder.inner.values()) this.#close(inner)
  }

  #unwatch(): void {
    if (this.#root) this.#close(this.#root)
    this.#root = undefined
    for (const watcher of this.#gitWatchers.splice(0)) watcher.close()
    this.#hasNewRules = true
  }
}

/** `refs/heads/topic/one` is a file in `refs/heads/topic`. A missing folder appears in the one above it. */
function foldersOfBranch(head: string): string[] {
  const branch = /^ref: (refs\/.+)/.exec(head)?.[1]
  const names = branch?.split('/').slice(0, -1) ?? []
  return names.map((_, at) => names.slice(0, at + 1).join('/'))
}

/** Differs when another folder has taken the place of this one. */
function idOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? '' : `${found.dev} ${found.ino}`
}

/** A folder that has disappeared is an event of the folder above it. */
function noneIfGone(error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
  return undefined
}

/** Starts the work at the first call; every call waits for it. */
function once(work: () => Promise<void>): () => Promise<void> {
  let started: Promise<void> | undefined
  return () => (started ??= work())
}
