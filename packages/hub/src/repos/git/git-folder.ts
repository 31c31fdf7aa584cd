// Finds git's folders of a work tree by reading files, without running git.
import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { undefinedIfUnreadable } from '../../system-errors.js'

export type GitFolder = {
  /** Contains HEAD and the index. */
  readonly own: string
  /** Contains objects, branches and settings. Differs from `own` only in a linked work tree. */
  readonly common: string
}

const MAX_POINTER_BYTES = 64 * 1024

/** `.git` itself, or the target of the `.git` file of a linked work tree or a submodule. */
export async function findGitFolder(workTree: string): Promise<GitFolder | undefined> {
  const git = join(workTree, '.git')
  const found = await stat(git).catch(() => undefined)
  const own = found?.isFile() ? await followPointer(workTree, git) : git
  if (found === undefined || own === undefined || !(await isFile(join(own, 'HEAD'))))
    return undefined
  const common = await readSmallFile(join(own, 'commondir'))
  return { own, common: common === undefined ? own : resolve(own, common.trim()) }
}

async function followPointer(workTree: string, file: string): Promise<string | undefined> {
  const target = /^gitdir: (.+)/.exec((await readSmallFile(file)) ?? '')?.[1]?.trim()
  return target ? resolve(workTree, target) : undefined
}

/** The content of a regular file. Undefined for an unreadable or oversized file, and for a pipe, which never ends. */
export async function readSmallFile(
  path: string,
  maxBytes = MAX_POINTER_BYTES,
): Promise<string | undefined> {
  return (await readRegularFile(path, maxBytes))?.toString('utf8')
}

export async function readRegularFile(path: string, maxBytes: number): Promise<Buffer | undefined> {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK
  const file = await open(path, flags).catch(undefinedIfUnreadable)
  if (file === undefined) return undefined
  try {
    const stats = await file.stat()
    return stats.isFile() && stats.size <= maxBytes ? await file.readFile() : undefined
  } catch {
    return undefined
  } finally {
    await file.close()
  }
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false
}
