// Finds git repositories by reading folders. Never runs git, so a hostile repository cannot run anything.
import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { undefinedIfUnreadable } from '../system-errors.js'
import { findGitFolder, readSmallFile } from './git/git-folder.js'

/** Large folders that contain no repositories of the person. */
const SKIPPED = new Set(['node_modules', '.git'])
const MAX_FOLDERS = 100_000
const PARALLEL_READS = 32

/** The paths of all work trees under `root`, itself included. Symbolic links are not followed, so there are no loops. */
export async function findRepositories(root: string): Promise<string[]> {
  const found: string[] = []
  const waiting = [root]
  for (let seen = 0; waiting.length > 0 && seen < MAX_FOLDERS;) {
    const looks = await Promise.all(waiting.splice(0, PARALLEL_READS).map(look))
    seen += looks.length
    for (const { repository, folders } of looks) {
      if (repository !== undefined) found.push(repository)
      // One by one, because a very large folder exceeds the limit of arguments of one call.
      for (const folder of folders) waiting.push(folder)
    }
  }
  return found.toSorted()
}

/** The innermost work tree at or above a folder, up to `root`. */
export async function findRepositoryAround(
  folder: string,
  root: string,
): Promise<string | undefined> {
  if ((await findGitFolder(folder)) !== undefined) return folder
  return folder === root ? undefined : findRepositoryAround(dirname(folder), root)
}

async function look(folder: string): Promise<{ repository?: string; folders: string[] }> {
  // Skip folders that cannot be read.
  const read = readdir(folder, { withFileTypes: true })
  const entries = (await read.catch(undefinedIfUnreadable)) ?? []
  if (isBare(entries)) return { folders: [] }
  const folders = entries
    .filter(
      (entry) => entry.isDirectory() && !SKIPPED.has(entry.name) && !entry.name.startsWith('.'),
    )
    .map((entry) => join(folder, entry.name))
  const git = entries.find((entry) => entry.name === '.git')
  if (git === undefined || (await findGitFolder(folder)) === undefined) return { folders }
  return { repository: folder, folders }
}

/** A bare repository has no files to work on, but hundreds of object folders. */
function isBare(entries: readonly Dirent[]): boolean {
  const names = new Set(entries.map(({ name }) => name))
  return ['HEAD', 'objects', 'refs'].every((name) => names.has(name)) && !names.has('.git')
}

/** The checked out branch, or the abbreviated commit without one. */
export async function findBranch(workTree: string): Promise<string | undefined> {
  const git = await findGitFolder(workTree)
  if (git === undefined) return undefined
  const head = ((await readSmallFile(join(git.own, 'HEAD'))) ?? '').trim()
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1]
  return branch ?? (/^[0-9a-f]{40,64}$/.test(head) ? head.slice(0, 12) : undefined)
}

export function repositoryName(path: string): string {
  return basename(path) || path
}
