// Ends a git process that waits for a file which never ends: a pipe in place of a .gitignore stops every look at a repository.
import type { Stats } from 'node:fs'
import { lstat, opendir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { GitError } from './git.js'
import type { GitFolder } from './git-folder.js'

/** The files that git opens in each folder without a look at their type. */
const READ_BY_GIT = ['.gitignore', '.gitattributes']
/** The files that it opens in its own folder, also through a link. */
const READ_IN_GIT_FOLDER = [
  'commondir',
  'config',
  'config.worktree',
  'packed-refs',
  'shallow',
  'info/exclude',
  'info/attributes',
  'info/sparse-checkout',
  'objects/info/alternates',
]
/** A large repository may take longer than this; git is ended only when such a file is found. */
const SLOW_MS = 3_000
const MAX_SEARCH_MS = 2_000

export type Stall = Disposable & { readonly signal: AbortSignal }

/** Begins to search when git has taken three seconds. */
export function watchForStall(workTree: string): Stall {
  const stop = new AbortController()
  const search = async (): Promise<void> => {
    const file = await findEndlessFile(workTree)
    if (file !== undefined) stop.abort(blockedBy(file, workTree))
  }
  const timer = setTimeout(() => void search(), SLOW_MS)
  return { signal: stop.signal, [Symbol.dispose]: () => clearTimeout(timer) }
}

/** Looks at the top of the work tree and of git's folder only. The other folders are searched when git is slow. */
export async function requireNoEndlessFile(
  workTree: string,
  { own, common }: GitFolder,
  head: string,
): Promise<void> {
  const branch = /^ref: (.+)/.exec(head)?.[1] ?? []
  const names = [...READ_IN_GIT_FOLDER, branch].flat()
  const inGitFolder = names.flatMap((name) => [join(own, name), join(common, name)])
  const looks = [...new Set(inGitFolder)].map(async (file) => {
    const stats = await stat(file).catch(() => undefined)
    return isEndless(stats) ? file : undefined
  })
  const found = [await findEndlessFileIn(workTree), ...(await Promise.all(looks))]
  const file = found.find((path) => path !== undefined)
  if (file !== undefined) throw blockedBy(file, workTree)
}

function blockedBy(file: string, workTree: string): GitError {
  return new GitError('blocked', `Remove ${relative(workTree, file)}, or replace it by a file.`)
}

/** The first pipe or device that git would read, folder by folder from the top. */
async function findEndlessFile(workTree: string): Promise<string | undefined> {
  const deadline = performance.now() + MAX_SEARCH_MS
  const folders = [workTree]
  for (const folder of folders) {
    if (performance.now() > deadline) return undefined
    const file = await findEndlessFileIn(folder)
    if (file !== undefined) return file
    folders.push(...(await foldersIn(folder)))
  }
  return undefined
}

async function findEndlessFileIn(folder: string): Promise<string | undefined> {
  for (const name of READ_BY_GIT) {
    const stats = await lstat(join(folder, name)).catch(() => undefined)
    if (isEndless(stats)) return join(folder, name)
  }
  return undefined
}

function isEndless(stats: Stats | undefined): boolean {
  return stats !== undefined && (stats.isFIFO() || stats.isCharacterDevice())
}

async function foldersIn(folder: string): Promise<string[]> {
  const found: string[] = []
  try {
    for await (const entry of await opendir(folder))
      if (entry.isDirectory() && entry.name !== '.git') found.push(join(folder, entry.name))
  } catch {
    // A folder that cannot be read holds nothing that git could read.
  }
  return found
}
