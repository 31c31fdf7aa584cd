// Copies untracked files that match the patterns in `.worktreeinclude`, such as `.env`, into a new work tree. Follows no links, neither in
// the repository nor in the work tree.
import { constants } from 'node:fs'
import { copyFile, lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { openFolder, splitPath } from '../repos/files/replace-file.js'
import { isInnerPath } from '../repos/git/git.js'
import { openGitView } from '../repos/git/git-view.js'

export const INCLUDE_FILE = '.worktreeinclude'
const MAX_FILES = 2_000
const MAX_BYTES = 200 * 1024 * 1024

/** Shares the bytes on the disk where the file system can. */
const COPY = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE

/** Returns a sentence about files that were not copied. */
export async function includeFiles(
  repository: string,
  workTree: string,
): Promise<string | undefined> {
  const isThere = (await lstat(join(repository, INCLUDE_FILE)).catch(() => undefined))?.isFile()
  if (!isThere) return undefined
  const paths = await listIncluded(repository)
  let bytes = 0
  let failed = 0
  for (const [at, path] of paths.slice(0, MAX_FILES).entries()) {
    const copied = await copy(path, { repository, workTree, maxBytes: MAX_BYTES - bytes })
    if (copied === 'too_large') return describe(paths.length - at)
    if (copied === 'failed') failed += 1
    else bytes += copied
  }
  const missing = failed + Math.max(0, paths.length - MAX_FILES)
  return missing === 0 ? undefined : describe(missing)
}

function describe(count: number): string {
  const files = count === 1 ? '1 file' : `${count} files`
  return `${files} of ${INCLUDE_FILE} could not be copied into the work tree. Links are left out, and at most ${MAX_FILES} files with ${MAX_BYTES / 1024 / 1024} MB are copied.`
}

async function listIncluded(repository: string): Promise<string[]> {
  await using view = await openGitView(repository)
  const patterns = `--exclude-from=${join(repository, INCLUDE_FILE)}`
  const output = await view.run(['ls-files', '--others', '--ignored', '-z', patterns])
  return output.toString('latin1').split('\0').filter(isInnerPath)
}

type Copying = {
  readonly repository: string
  readonly workTree: string
  readonly maxBytes: number
}

/** Returns the size. An existing file in the work tree is not replaced. */
async function copy(
  path: string,
  { repository, workTree, maxBytes }: Copying,
): Promise<number | 'failed' | 'too_large'> {
  const { names, name } = splitPath(path)
  try {
    await using from = await openFolder(repository, names)
    const stats = await lstat(from.at(name))
    if (!stats.isFile()) return 'failed'
    if (stats.size > maxBytes) return 'too_large'
    await using to = await openFolder(workTree, names, { creates: true })
    await copyFile(from.at(name), to.at(name), COPY)
    return stats.size
  } catch {
    return 'failed'
  }
}
