// The folders that git does not look into, because a rule ignores them and they hold no tracked file.
import { openGitView } from '../git/git-view.js'
import { toText } from '../git/status-lines.js'

const STATUS = [
  'status',
  '--porcelain=v1',
  '-z',
  '--untracked-files=all',
  '--ignored=matching',
  '--no-renames',
  '--ignore-submodules=all',
]

/** Relative to the work tree. */
export async function findIgnoredFolders(workTree: string): Promise<ReadonlySet<string>> {
  await using view = await openGitView(workTree)
  const entries = (await view.run(STATUS)).toString('latin1').split('\0')
  const ignored = entries.filter((entry) => entry.startsWith('!! ') && entry.endsWith('/'))
  return new Set(ignored.map((entry) => toText(entry.slice(3, -1))))
}
