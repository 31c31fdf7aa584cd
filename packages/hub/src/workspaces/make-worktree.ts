// Makes and removes git work trees. No program that the repository's settings name runs: the work tree is added without its files, and
// these are written through the hub's own view of it (see repos/git/git-view.ts).
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { HubError } from '../errors.js'
import { GitError, runGit, unlessFailed } from '../repos/git/git.js'
import { findGitFolder, readSmallFile } from '../repos/git/git-folder.js'
import type { GitProgress } from '../repos/git/git-progress.js'
import { type GitView, openGitView } from '../repos/git/git-view.js'
import { writeWorkingTree } from '../repos/git/working-tree.js'
import { systemCode } from '../repos/files/file-access-error.js'
import { Slots } from '../slots.js'
import { branchName } from './branch-name.js'

/** The repository's files as they are now, with uncommitted changes. */
const AS_IT_IS = '.'

/** Long enough for a large repository on a slow disk. */
const CHECKOUT_MS = 300_000

/** The files of another work tree, as a git tree. */
export type WorktreeFiles = {
  readonly tree: string
  /** The commit that the files are compared with. */
  readonly commit: string
  /** The folder of the tree's objects. */
  readonly objects: string
}

/** The state of a repository that work trees begin from. All work trees that are made while it is open begin with the same files. */
export type OpenBase = AsyncDisposable & {
  readonly view: GitView
  /** The branch, or the commit when none is checked out. */
  readonly name: string
  readonly commit: string
  /** Written instead of the files of the commit. */
  readonly files?: Omit<WorktreeFiles, 'commit'> | undefined
}

type WantedBase = {
  readonly base?: string | undefined
  /** Written instead of the files of the base. */
  readonly files?: WorktreeFiles | undefined
}

/** Use it as `await using base = await openBase(…)`. Throws `invalid_settings` for a base that does not exist, and `git_failed`. */
export async function openBase(repository: string, wanted: WantedBase): Promise<OpenBase> {
  const view = await openGitView(repository)
  const close = () => view[Symbol.asyncDispose]()
  try {
    const base = await resolveBase(view, wanted)
    const files = wanted.base === AS_IT_IS ? await presentFiles(view) : wanted.files
    return { view, ...base, files, [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}

export type WorktreeRequest = {
  readonly repository: string
  /** Must not exist yet. */
  readonly path: string
  readonly base: OpenBase
  readonly session: { readonly id: string; readonly words?: string | undefined }
  /** Called for each percent of the files. */
  readonly onFiles?: ((progress: GitProgress) => void) | undefined
}

/** Work trees are added one at a time, so that no two choose the same branch name. */
const adding = new Slots(1)

/** Returns the branch. Throws `git_failed`. Leaves nothing behind when it fails. */
export async function makeWorktree(request: WorktreeRequest): Promise<string> {
  const { repository, path } = request
  await mkdir(dirname(path), { recursive: true })
  const branch = await adding.run(() => addWorktree(request))
  try {
    await writeFiles(request)
  } catch (error) {
    await removeWorktree({ repository, path, branch }).catch(() => undefined)
    throw error
  }
  return branch
}

/** Adds a work tree without its files. */
async function addWorktree({ repository, path, base, session }: WorktreeRequest): Promise<string> {
  const list = ['for-each-ref', '--format=%(refname:short)', 'refs/heads']
  const taken = (await base.view.line(list)).split('\n')
  // git stores a branch as a file: `a` and `a/b` cannot exist together.
  const isTaken = (name: string) => taken.some((one) => `${one}/`.startsWith(`${name}/`))
  const branch = branchName(session, isTaken)
  const names = ['-b', branch, '--no-track', '--no-checkout', '--end-of-options', path, base.commit]
  try {
    await runGit(['worktree', 'add', '--quiet', ...names], { cwd: repository })
  } catch (error) {
    await removeWorktree({ repository, path, branch }).catch(() => undefined)
    throw error
  }
  return branch
}

/** Runs git on the branches and other references of a repository, which is named by a work tree or by git's folder. */
export async function runOnReferences(
  repository: string,
  args: readonly string[],
): Promise<Buffer> {
  const folder = await findGitFolder(repository)
  return runGit([`--git-dir=${folder?.common ?? repository}`, ...args], { cwd: repository })
}

/** The suffix of a work tree that is being removed. */
const REMOVED = '.removed'

type Removal = {
  readonly repository: string
  readonly path: string
  readonly branch?: string | undefined
}

/** Removes a work tree, and its branch if that is given. The folder is renamed first, so that a crash leaves no half of it at its path. */
export async function removeWorktree(removal: Removal): Promise<void> {
  const { path } = removal
  await rename(path, `${path}${REMOVED}`).catch((error: unknown) => {
    if (systemCode(error) !== 'ENOENT') throw error
  })
  await finishRemoval(removal)
}

async function finishRemoval({ repository, path, branch }: Removal): Promise<void> {
  if (branch !== undefined)
    await runOnReferences(repository, ['update-ref', '-d', `refs/heads/${branch}`])
  const folder = await findOwnFolder(repository, path)
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  await rm(`${path}${REMOVED}`, { recursive: true, force: true, maxRetries: 3 })
}

/** Finishes the removals that a crash has interrupted in a folder of work trees. */
export async function finishRemovals(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(REMOVED)) continue
    const found = await findOwner(join(folder, name))
    const path = join(folder, name.slice(0, -REMOVED.length))
    if (found) await finishRemoval({ ...found, path })
    // The repository no longer lists it.
    else await rm(join(folder, name), { recursive: true, maxRetries: 3 })
  }
}

/** Reads from a session's work tree its branch and git's folder of its repository, which may be bare. */
export async function findOwner(
  path: string,
): Promise<{ readonly repository: string; readonly branch: string } | undefined> {
  const folder = await findGitFolder(path)
  const head = folder && (await readSmallFile(join(folder.own, 'HEAD')))
  const branch = /^ref: refs\/heads\/(quayside\/.+)/.exec(head ?? '')?.[1]
  return folder && branch !== undefined ? { repository: folder.common, branch } : undefined
}

/** True when git has not written the index, which it writes after the last file. */
export async function isHalfMade(path: string): Promise<boolean> {
  const folder = await findGitFolder(path)
  return folder !== undefined && !existsSync(join(folder.own, 'index'))
}

/** git's folder of a work tree. `git worktree prune` is not used, because it would also remove folders of work trees on unmounted disks. */
async function findOwnFolder(repository: string, path: string): Promise<string | undefined> {
  const git = await findGitFolder(repository)
  const all = join(git?.common ?? repository, 'worktrees')
  for (const name of await readdir(all).catch(() => [])) {
    const pointer = await readSmallFile(join(all, name, 'gitdir'))
    if (pointer?.trim() === join(path, '.git')) return join(all, name)
  }
  return undefined
}

async function resolveBase(
  view: GitView,
  { base: wanted, files }: WantedBase,
): Promise<Pick<OpenBase, 'name' | 'commit'>> {
  if (wanted !== undefined && files) return { name: wanted, commit: files.commit }
  if (wanted !== undefined && wanted !== AS_IT_IS) {
    const commit = await findCommit(view, [`refs/heads/${wanted}`, `refs/remotes/${wanted}`])
    if (commit !== undefined) return { name: wanted, commit }
    throw new HubError('invalid_settings', {
      message: `settings.base: there is no branch ${wanted} in this repository. Name another one.`,
      base: wanted,
    })
  }
  const commit = await findCommit(view, ['HEAD'])
  if (commit === undefined)
    throw new HubError('invalid_settings', {
      message:
        'The repository has no commit yet, so it cannot have a second work tree. Commit once, or use the workspace "shared".',
    })
  const branch = await view.line(['rev-parse', '--abbrev-ref', 'HEAD'])
  return { name: branch === 'HEAD' ? commit : branch, commit: files?.commit ?? commit }
}

async function findCommit(view: GitView, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    const found = view.line([
      'rev-parse',
      '--verify',
      '--quiet',
      '--end-of-options',
      `${name}^{commit}`,
    ])
    const commit = await unlessFailed(found)
    if (commit) return commit
  }
  return undefined
}

async function presentFiles(view: GitView): Promise<Omit<WorktreeFiles, 'commit'>> {
  const { tree } = await writeWorkingTree(view)
  return { tree, objects: view.objects }
}

/** Writes the files of the commit, or those of `base.files`, which are uncommitted changes then. */
async function writeFiles({ path, base, onFiles }: WorktreeRequest): Promise<void> {
  const { commit, files } = base
  const folder = await findGitFolder(path)
  if (folder === undefined) throw new GitError('not_a_repository')
  const index = join(folder.own, 'index')
  const options = {
    index,
    alternates: files ? [files.objects] : [],
    timeoutMs: CHECKOUT_MS,
    ...(onFiles && { onProgress: onFiles }),
  }
  await using target = await openGitView(path, options)
  const checkOut = ['read-tree', '--reset', '-u', '-v', '--end-of-options']
  await target.run([...checkOut, files?.tree ?? commit])
  if (files) await target.run(['read-tree', '--reset', '--end-of-options', commit])
}
