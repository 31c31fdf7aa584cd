// The tree of two commits, made without a work tree.
import { HubError } from '../errors.js'
import { GitError } from '../repos/git/git.js'
import { openGitView } from '../repos/git/git-view.js'
import { toText } from '../repos/git/status-lines.js'

/** No merge driver that the repository names runs. Throws `merge_conflict` with the files. */
export async function mergeTrees(
  repository: string,
  ours: string,
  theirs: string,
): Promise<string> {
  await using view = await openGitView(repository, { writesObjects: true })
  try {
    const options = ['--write-tree', '--name-only', '--no-messages', '-z', '--end-of-options']
    const output = await view.run(['merge-tree', ...options, ours, theirs])
    const [tree = ''] = output.toString('utf8').split('\0')
    return tree.trim()
  } catch (error) {
    throw conflictOf(error)
  }
}

/** git ends with 1 and names the files behind the tree. */
function conflictOf(error: unknown): unknown {
  const exit = error instanceof GitError ? error.exit : undefined
  if (exit?.code !== 1) return error
  const [, ...names] = exit.stdout.toString('latin1').split('\0').filter(Boolean)
  return new HubError(
    'merge_conflict',
    { paths: [...new Set(names)].map(toText) },
    { cause: error },
  )
}
