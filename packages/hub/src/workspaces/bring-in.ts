// Brings the commits of a session's branch into another branch. git makes the resulting commit without a work tree, then the branch moves
// to it in one step. A conflict therefore changes nothing.
import { HubError, messageOfError } from '../errors.js'
import { GitError, unlessFailed } from '../repos/git/git.js'
import { openGitView } from '../repos/git/git-view.js'
import { parseStatus, toText } from '../repos/git/status-lines.js'
import { askTrustedGit, runTrustedGit } from '../repos/git/trusted-git.js'
import { runOnReferences } from './make-worktree.js'
import { mergeTrees } from './merge-trees.js'
import { replayCommits } from './replay-commits.js'

export type BringIn = {
  readonly how: 'merge' | 'squash' | 'rebase'
  readonly repository: string
  /** The session's work tree and its branch. */
  readonly path: string
  readonly branch: string
  readonly into: string
  readonly message: string
}

export type BroughtIn = { readonly commit: string; readonly output: string }

/** Throws `workspace_dirty`, `merge_conflict`, `invalid_settings` for an unknown branch, and errors of git. */
export async function bringIn(request: BringIn): Promise<BroughtIn> {
  const { repository, path, into } = request
  await requireClean(path)
  const target = await findWorkTreeOf(repository, into)
  if (target !== undefined) await requireClean(target, { ignoresUntracked: true })
  const base = await requireBranch(repository, into)
  const tip = await requireBranch(repository, request.branch)
  const hasAll = await isAncestor(repository, tip, base)
  const { commit, output } = hasAll
    ? { commit: base, output: `${into} has all commits of ${request.branch}.` }
    : await moveTarget(request, base, target)
  const followed = request.how === 'rebase' ? await follow(path, commit) : ''
  return { commit, output: [output, followed].filter(Boolean).join('\n') }
}

async function moveTarget(
  request: BringIn,
  base: string,
  target: string | undefined,
): Promise<BroughtIn> {
  const { repository, into } = request
  const commit = await (request.how === 'rebase' ? replay : merge)(request, base)
  const output =
    target === undefined
      ? await runTrustedGit(['update-ref', `refs/heads/${into}`, commit, base], repository)
      : await moveWorkTree(target, commit)
  return { commit, output }
}

/** Last, so that a refusal and a crash before it leave the session as it was. The commits can be brought in again, which then changes nothing. */
async function follow(path: string, commit: string): Promise<string> {
  try {
    return await runTrustedGit(['reset', '--keep', commit], path)
  } catch (error) {
    return messageOfError(error)
  }
}

/** True also for the commit itself. False for a name that does not exist. */
export async function isAncestor(
  repository: string,
  commit: string,
  later: string,
): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', commit, later]
  return (await unlessFailed(runOnReferences(repository, args))) !== undefined
}

/** Commits all changes. Without changes, returns the latest commit. */
export async function commitAll(path: string, message: string): Promise<BroughtIn> {
  await runTrustedGit(['add', '--all'], path)
  const staged = await askTrustedGit(['diff', '--cached', '--name-only'], path)
  const output = staged === '' ? '' : await runTrustedGit(['commit', '--message', message], path)
  return { commit: await askTrustedGit(['rev-parse', 'HEAD'], path), output }
}

/** The paths of uncommitted changes. */
export async function findChanges(
  workTree: string,
  { ignoresUntracked = false } = {},
): Promise<string[]> {
  await using view = await openGitView(workTree)
  const untracked = `--untracked-files=${ignoresUntracked ? 'no' : 'all'}`
  const status = ['status', '--porcelain=v2', '--branch', '-z', '--no-renames', untracked]
  const { lines } = parseStatus(await view.run(status))
  return lines.map((line) => toText(line.path))
}

async function requireClean(workTree: string, options?: { ignoresUntracked: boolean }) {
  const paths = await findChanges(workTree, options)
  if (paths.length > 0) throw new HubError('workspace_dirty', { workTree, paths })
}

async function requireBranch(repository: string, branch: string): Promise<string> {
  const name = `refs/heads/${branch}`
  try {
    return await askTrustedGit(['rev-parse', '--verify', '--quiet', name], repository)
  } catch (cause) {
    const message = `The repository has no branch ${branch}. Create it, or name another one.`
    throw new HubError('invalid_settings', { message, branch }, { cause })
  }
}

/** The work tree that a branch is checked out in. */
async function findWorkTreeOf(repository: string, branch: string): Promise<string | undefined> {
  const list = await askTrustedGit(['worktree', 'list', '--porcelain'], repository)
  const entry = list
    .split('\n\n')
    .find((text) => text.split('\n').includes(`branch refs/heads/${branch}`))
  return entry && /^worktree (.+)$/m.exec(entry)?.[1]
}

async function merge(
  { how, repository, branch, into, message }: BringIn,
  base: string,
): Promise<string> {
  const tip = await requireBranch(repository, branch)
  const tree = await mergeTrees(repository, base, tip)
  const parents = how === 'merge' ? ['-p', base, '-p', tip] : ['-p', base]
  const text = how === 'merge' ? `Merge branch '${branch}' into ${into}\n\n${message}` : message
  return askTrustedGit(['commit-tree', tree, ...parents, '-m', text], repository)
}

async function replay({ repository, branch }: BringIn, base: string): Promise<string> {
  return replayCommits(repository, { base, tip: await requireBranch(repository, branch) })
}

/** Throws `workspace_dirty` when an untracked file is in the way, which git refuses to overwrite. */
async function moveWorkTree(target: string, commit: string): Promise<string> {
  try {
    return await runTrustedGit(['merge', '--ff-only', commit], target)
  } catch (error) {
    const reason = error instanceof GitError ? error.message : ''
    const paths = [...reason.matchAll(/^\t(.+)$/gm)].flatMap(([, path]) => path ?? [])
    throw paths.length > 0
      ? new HubError('workspace_dirty', { workTree: target, paths }, { cause: error })
      : error
  }
}
