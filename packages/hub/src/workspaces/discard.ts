// Removes a session's work tree and branch. A reference in the repository keeps their state first, so that nothing is lost.
import type { UnsavedWork } from '@quayside/protocol'
import { GitError, runGit, unlessFailed } from '../repos/git/git.js'
import { openGitView } from '../repos/git/git-view.js'
import { writeWorkingTree } from '../repos/git/working-tree.js'
import { findChanges, isAncestor } from './bring-in.js'
import { findOwner, isHalfMade, removeWorktree, runOnReferences } from './make-worktree.js'
import { requireSavedSubmodules } from './saved-submodules.js'

export type Discard = {
  readonly sessionId: string
  readonly repository: string
  readonly path: string
  readonly branch: string
  /** The branch that the session began from. Work that it contains is not kept again. */
  readonly base: string
}

/** The hub, not a person, commits the uncommitted changes. */
const AUTHOR = {
  GIT_AUTHOR_NAME: 'Quayside',
  GIT_AUTHOR_EMAIL: 'quayside@localhost',
  GIT_COMMITTER_NAME: 'Quayside',
  GIT_COMMITTER_EMAIL: 'quayside@localhost',
}

/** The work that `discard` would keep. */
export async function findUnsaved(request: Discard): Promise<UnsavedWork> {
  const { sessionId, repository, path, branch, base } = request
  const files = await findChanges(path)
  const count = ['rev-list', '--count', `refs/heads/${branch}`]
  const beyond = await unlessFailed(runOnReferences(repository, [...count, '--not', base, '--']))
  // Without its base, all commits of the branch count.
  const commits = Number(beyond ?? (await runOnReferences(repository, [...count, '--'])))
  return { files, commits, ...(files.length + commits > 0 && { keptAs: keptReference(sessionId) }) }
}

function keptReference(sessionId: string): string {
  return `refs/quayside/kept/${sessionId}`
}

export async function forgetKept(repository: string, sessionId: string): Promise<void> {
  await runOnReferences(repository, ['update-ref', '-d', keptReference(sessionId)])
}

/**
 * Returns the reference, or undefined when the base has all of the work. Throws `workspace_dirty` for submodules with work of their own.
 * After a crash there is either the work tree as it was, or only the reference.
 */
export async function discard(request: Discard): Promise<string | undefined> {
  const { sessionId, repository, path, branch, base } = request
  await requireSavedSubmodules(path)
  const commit = await commitState(path)
  const kept = keptReference(sessionId)
  const isKept = !(await isAncestor(repository, commit, base))
  if (isKept) await runOnReferences(repository, ['update-ref', kept, commit])
  await removeWorktree({ repository, path, branch })
  return isKept ? kept : undefined
}

/** Discards a work tree that belongs to no session. Its branch and repository are read from it. Throws when it is not a work tree. */
export async function discardOrphan(sessionId: string, path: string): Promise<void> {
  const found = await findOwner(path)
  if (found === undefined) throw new GitError('not_a_repository')
  if (await isHalfMade(path)) await removeWorktree({ ...found, path })
  else await discard({ ...found, sessionId, path, base: 'HEAD' })
}

/** Returns the commit that is checked out, or a new one on top of it with the uncommitted changes. */
async function commitState(path: string): Promise<string> {
  await using view = await openGitView(path, { writesObjects: true })
  const { tree, base } = await writeWorkingTree(view)
  if (base === undefined) throw new GitError('failed', 'The work tree has no commit.')
  if (tree === base) return base
  const message = 'Uncommitted changes of a discarded work tree'
  const args = ['commit-tree', tree, '-p', base, '-m', message]
  return (await runGit(args, { cwd: path, env: AUTHOR })).toString('utf8').trim()
}
