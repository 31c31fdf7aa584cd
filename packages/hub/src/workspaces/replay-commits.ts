// A rebase without a work tree: makes the commits of a branch again on top of another commit, one after the other. Neither the branch nor its
// files change, so a conflict or a crash leaves nothing half done.
import { askTrustedGit } from '../repos/git/trusted-git.js'
import { mergeTrees } from './merge-trees.js'

type Replay = {
  /** The commit that they are put on top of. */
  readonly base: string
  /** The last one. */
  readonly tip: string
}

/** Returns the last of the new commits. Like `git rebase`, it leaves out merges and changes that the base has. Throws `merge_conflict`. */
export async function replayCommits(repository: string, { base, tip }: Replay): Promise<string> {
  const order = ['--reverse', '--topo-order', '--no-merges', '--cherry-pick', '--right-only']
  const list = await askTrustedGit(['rev-list', ...order, `${base}...${tip}`, '--'], repository)
  let top = base
  for (const commit of list.split('\n').filter(Boolean))
    top = await replayOne(repository, commit, top)
  return top
}

async function replayOne(repository: string, commit: string, top: string): Promise<string> {
  const read = (name: string) => askTrustedGit(['rev-parse', '--verify', name], repository)
  // The common ancestor of a merge comes from the parents: these are the files of `top` as a change of the same parent.
  const besides = ['commit-tree', `${top}^{tree}`, '-p', `${commit}^`, '-m', 'base of a merge']
  const ours = await askTrustedGit(besides, repository)
  const tree = await mergeTrees(repository, ours, commit)
  const hasNoChange = tree === (await read(`${top}^{tree}`))
  const wasEmpty = (await read(`${commit}^{tree}`)) === (await read(`${commit}^^{tree}`))
  if (hasNoChange && !wasEmpty) return top
  const { env, message } = await readCommit(repository, commit)
  return askTrustedGit(['commit-tree', tree, '-p', top, '-m', message], repository, env)
}

async function readCommit(repository: string, commit: string) {
  const format = '--format=%an%x00%ae%x00%ad%x00%B'
  const show = ['show', '--no-patch', '--no-show-signature', '--encoding=UTF-8', '--date=raw']
  const text = await askTrustedGit([...show, format, commit], repository)
  const [name, email, date, message = ''] = text.split('\0')
  const env = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date }
  return { env, message }
}
