// The status of a repository: its branch, changed files, and the diff against the last commit.
import type { RepoDiff, RepoStatus } from '@quayside/protocol'
import { isInnerPath } from './git/git.js'
import { openGitView } from './git/git-view.js'
import { parseStatus, type StatusLine, toText } from './git/status-lines.js'
import { type ChangesOptions, compareTrees } from './git/tree-changes.js'
import { writeWorkingTree } from './git/working-tree.js'
import { findHead } from './git/working-tree-snapshot.js'

const MAX_FILES = 2000

export async function readStatus(repoPath: string): Promise<RepoStatus> {
  await using view = await openGitView(repoPath)
  const output = await view.run([
    'status',
    '--porcelain=v2',
    '--branch',
    '-z',
    '--untracked-files=all',
    '--find-renames',
    '--ignore-submodules=dirty',
  ])
  const { branch, lines: all } = parseStatus(output)
  const lines = all.filter(({ path }) => isInnerPath(path))
  const count = (isCounted: (line: StatusLine) => boolean) => lines.filter(isCounted).length
  return {
    branch,
    files: lines.slice(0, MAX_FILES).map(toFileStatus),
    counts: {
      staged: count(({ staged }) => !'.?U'.includes(staged)),
      unstaged: count(({ unstaged }) => !'.?U'.includes(unstaged)),
      untracked: count(({ staged }) => staged === '?'),
      conflicted: count(({ staged }) => staged === 'U'),
    },
    isTruncated: lines.length > MAX_FILES,
  }
}

/** All changes since the last commit, staged or not, including untracked files that are not ignored. */
export async function readDiff(repoPath: string, options: ChangesOptions = {}): Promise<RepoDiff> {
  await using view = await openGitView(repoPath)
  const head = await findHead(view)
  const emptyTree = ['hash-object', '-t', 'tree', '--stdin']
  const tree = await view.line(head === undefined ? emptyTree : ['rev-parse', `${head}^{tree}`])
  const now = await writeWorkingTree(view)
  const patched = { withPatches: true, ...options }
  return await compareTrees(view, { from: { tree, unread: [] }, to: now }, patched)
}

function toFileStatus({
  path,
  oldPath,
  staged,
  unstaged,
}: StatusLine): RepoStatus['files'][number] {
  const old = oldPath === undefined ? {} : { oldPath: toText(oldPath) }
  return { path: toText(path), ...old, staged, unstaged }
}
