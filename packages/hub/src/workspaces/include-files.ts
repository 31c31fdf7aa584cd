// Copies untracked files, such as `.env`, that match the patterns in `.worktreeinclude` or in the repository's settings into a new work
// tree. Follows no links, neither in the repository nor in the work tree.
import { constants } from 'node:fs'
import { copyFile, lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { openFolder, splitPath } from '../repos/files/replace-file.js'
import { isInnerPath } from '../repos/git/git.js'
import { openGitView } from '../repos/git/git-view.js'

const INCLUDE_FILE = '.worktreeinclude'
const MAX_FILES = 2_000
const MAX_BYTES = 200 * 1024 * 1024

/** Shares the bytes on the disk where the file system can. */
const COPY = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE

export type IncludeRequest = {
  readonly repository: string
  readonly workTree: string
  /** Of the repository's settings: one in each line. */
  readonly patterns?: string | undefined
  readonly maxFiles?: number
}

/** Returns a sentence about files that were not copied. */
export async function includeFiles(request: IncludeRequest): Promise<string | undefined> {
  const { repository, workTree, maxFiles = MAX_FILES } = request
  const options = await patternOptions(request)
  if (options.length === 0) return undefined
  const paths = await listIncluded(repository, options)
  let bytes = 0
  let failed = 0
  for (const [at, path] of paths.slice(0, maxFiles).entries()) {
    const copied = await copy(path, { repository, workTree, maxBytes: MAX_BYTES - bytes })
    if (copied === 'too_large') return describe(paths.length - at)
    if (copied === 'failed') failed += 1
    else bytes += copied
  }
  const missing = failed + Math.max(0, paths.length - maxFiles)
  return missing === 0 ? undefined : describe(missing)
}

function describe(count: number): string {
  const files = count === 1 ? '1 file' : `${count} files`
  return `${files} that git does not track could not be copied into the work tree. Links are left out, and at most ${MAX_FILES} files with ${MAX_BYTES / 1024 / 1024} MB are copied.`
}

/** The settings come before the file where the two contradict each other. */
async function patternOptions({ repository, patterns = '' }: IncludeRequest): Promise<string[]> {
  const file = join(repository, INCLUDE_FILE)
  const isThere = (await lstat(file).catch(() => undefined))?.isFile()
  const lines = patterns.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'))
  const wanted = lines.map((line) => `--exclude=${line}`)
  return isThere ? [...wanted, `--exclude-from=${file}`] : wanted
}

async function listIncluded(repository: string, options: readonly string[]): Promise<string[]> {
  await using view = await openGitView(repository)
  const output = await view.run(['ls-files', '--others', '--ignored', '-z', ...options])
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
