// Writes the files of a work tree as a git tree, like `git add -A`, but into the view's own index and objects.
import { constants, type Stats } from 'node:fs'
import { access, lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { GitError, gitVersion, isInnerPath } from './git.js'
import type { GitView } from './git-view.js'
import { parseStatus, type StatusLine, toText } from './status-lines.js'

/** A file that is too large or not readable: compared by its size and time only. */
export type UnreadFile = {
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
}

export type WorkingTree = {
  /** The id of a tree, or of a commit with the same files. */
  readonly tree: string
  readonly unread: readonly UnreadFile[]
  /** The checked out commit; absent in a repository without commits. */
  readonly base?: string
}

const MAX_FILE_BYTES = 4 * 1024 * 1024
const MAX_TOTAL_BYTES = 256 * 1024 * 1024
/** git writes big files into one pack instead of a file each: six times faster for 10,000 files. Many packs slow every look down. */
const IN_ONE_PACK = ['-c', 'core.bigFileThreshold=1']
/** A snapshot that a power cut damages is a checkpoint less, and no loss of files. */
const WITHOUT_SYNC = ['-c', 'core.fsync=none']
/** Older versions write a pack for each file. */
const FIRST_WITH_ONE_PACK = 238
const FILES_FOR_A_PACK = 100
const PARALLEL_LOOKS = 64
const MAX_ATTEMPTS = 3

/** Without ignored files. A submodule is its commit; its files are not read. */
export async function writeWorkingTree(
  view: GitView,
  attempts = MAX_ATTEMPTS,
): Promise<WorkingTree> {
  try {
    return await write(view)
  } catch (error) {
    // An agent may remove a file between listing and reading.
    const isWorthAnother = error instanceof GitError && error.code === 'failed' && attempts > 1
    if (!isWorthAnother) throw error
    return writeWorkingTree(view, attempts - 1)
  }
}

async function write(view: GitView): Promise<WorkingTree> {
  const { branch, lines } = parseStatus(
    await view.run([
      'status',
      '--porcelain=v2',
      '--branch',
      '-z',
      '--untracked-files=all',
      '--no-renames',
      '--no-ahead-behind',
      '--ignore-submodules=dirty',
    ]),
  )
  const { commit } = branch
  if (lines.length === 0 && commit !== undefined) return { tree: commit, unread: [], base: commit }
  const changed = lines.filter((line) => line.unstaged !== '.' && isFilePath(line.path))
  const { removed, read, unread } = await sort(view.workTree, changed)
  // Remove first, because a file may have become a folder.
  await updateIndex(view, ['--force-remove'], removed)
  await updateIndex(view, ['--add', '--remove', '--replace'], read)
  const tree = await view.line(['write-tree', '--missing-ok'])
  return { tree, unread, ...(commit === undefined ? {} : { base: commit }) }
}

/** A nested repository that is not a submodule is listed as a folder, with a slash at the end. */
function isFilePath(path: string): boolean {
  return isInnerPath(path) && !path.endsWith('/')
}

type Sorted = {
  readonly removed: string[]
  readonly read: string[]
  readonly unread: UnreadFile[]
}

async function sort(workTree: string, lines: readonly StatusLine[]): Promise<Sorted> {
  const sorted: Sorted = { removed: [], read: [], unread: [] }
  let totalBytes = 0
  for (let at = 0; at < lines.length; at += PARALLEL_LOOKS) {
    const some = lines.slice(at, at + PARALLEL_LOOKS)
    const looks = await Promise.all(some.map((line) => look(workTree, line)))
    for (const { line, stats, isReadable } of looks) {
      totalBytes += stats?.isFile() ? stats.size : 0
      if (stats === undefined || !isKept(stats, line)) sorted.removed.push(line.path)
      else if (isReadable && stats.size <= MAX_FILE_BYTES && totalBytes <= MAX_TOTAL_BYTES)
        sorted.read.push(line.path)
      else {
        const { size, mtimeMs } = stats
        sorted.unread.push({ path: toText(line.path), size, mtimeMs })
        sorted.removed.push(line.path)
      }
    }
  }
  return sorted
}

type Look = {
  readonly line: StatusLine
  readonly stats: Stats | undefined
  readonly isReadable: boolean
}

async function look(workTree: string, line: StatusLine): Promise<Look> {
  // `D` also means that a parent folder has become a link. Then there is no file to read.
  if (line.unstaged === 'D') return { line, stats: undefined, isReadable: false }
  const path = Buffer.from(join(workTree, '/'), 'utf8')
  const file = Buffer.concat([path, Buffer.from(line.path, 'latin1')])
  const stats = await lstat(file).catch(() => undefined)
  if (!stats?.isFile()) return { line, stats, isReadable: true }
  const isReadable = await access(file, constants.R_OK).then(
    () => true,
    () => false,
  )
  return { line, stats, isReadable }
}

/** Pipes, sockets and devices are not part of a repository. */
function isKept(stats: Stats, { isSubmodule }: StatusLine): boolean {
  return stats.isFile() || stats.isSymbolicLink() || (isSubmodule && stats.isDirectory())
}

async function updateIndex(
  view: GitView,
  options: readonly string[],
  paths: readonly string[],
): Promise<void> {
  if (paths.length === 0) return
  const input = Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1')
  const isPacked = paths.length >= FILES_FOR_A_PACK && (await gitVersion()) >= FIRST_WITH_ONE_PACK
  const storing = [...WITHOUT_SYNC, ...(isPacked ? IN_ONE_PACK : [])]
  await view.run([...storing, 'update-index', ...options, '-z', '--stdin'], input)
}
