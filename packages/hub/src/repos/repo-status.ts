// Where a repository stands: its branch, the files that differ, and how they differ from the last commit.
import { isInnerPath } from './git.js'
import { openGitView } from './git-view.js'
import { parseStatus, type StatusBranch, type StatusLine, toText } from './status-lines.js'
import { type Changes, type ChangesWish, compareTrees } from './tree-changes.js'
import { writeWorkingTree } from './working-tree.js'
import { findHead } from './working-tree-snapshot.js'

export type FileStatus = {
  readonly path: string
  readonly oldPath?: string
  /** git's letters: HEAD against index, and index against file. `.` is the same, `?` untracked, `U` a conflict. */
  readonly staged: string
  readonly unstaged: string
}

export type RepoStatus = {
  /** `ahead` and `behind` are counted against what was fetched last; nothing is asked over the network. */
  readonly branch: StatusBranch
  readonly files: readonly FileStatus[]
  readonly counts: {
    readonly staged: number
    readonly unstaged: number
    readonly untracked: number
    readonly conflicted: number
  }
  readonly isTruncated: boolean
}

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

/** Everything since the last commit, staged or not, with the untracked files that are not ignored. */
export async function readDiff(repoPath: string, wish: ChangesWish = {}): Promise<Changes> {
  await using view = await openGitView(repoPath)
  const head = await findHead(view)
  const emptyTree = ['hash-object', '-t', 'tree', '--stdin']
  const tree = await view.line(head === undefined ? emptyTree : ['rev-parse', `${head}^{tree}`])
  const now = await writeWorkingTree(view)
  const patched = { withPatches: true, ...wish }
  return await compareTrees(view, { from: { tree, unread: [] }, to: now }, patched)
}

function toFileStatus({ path, oldPath, staged, unstaged }: StatusLine): FileStatus {
  const old = oldPath === undefined ? {} : { oldPath: toText(oldPath) }
  return { path: toText(path), ...old, staged, unstaged }
}
