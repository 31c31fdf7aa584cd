// Finds submodules whose work would be lost with a session's work tree: their repositories are inside of it, and a reference of the outer
// repository cannot keep them.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { HubError } from '../errors.js'
import { runGit } from '../repos/git/git.js'
import { openGitView } from '../repos/git/git-view.js'
import { toText } from '../repos/git/status-lines.js'
import { findChanges } from './bring-in.js'

const SUBMODULE = /^160000 [0-9a-f]+ \d\t(.+)$/s

/** Throws `workspace_dirty` for submodules with changes, or with commits that are in no remote. */
export async function requireSavedSubmodules(workTree: string): Promise<void> {
  const paths: string[] = []
  for (const path of await listSubmodules(workTree))
    if (await hasOwnWork(join(workTree, path))) paths.push(path)
  if (paths.length === 0) return
  const message = `These submodules have changes or commits that are in no remote, and the hub cannot keep them: ${paths.join(', ')}. Commit and push them first.`
  throw new HubError('workspace_dirty', { message, workTree, paths })
}

/** The submodules that are checked out. */
async function listSubmodules(workTree: string): Promise<string[]> {
  await using view = await openGitView(workTree)
  const entries = (await view.run(['ls-files', '--stage', '-z'])).toString('latin1').split('\0')
  const paths = entries.flatMap((entry) => SUBMODULE.exec(entry)?.[1] ?? []).map(toText)
  return paths.filter((path) => existsSync(join(workTree, path, '.git')))
}

async function hasOwnWork(submodule: string): Promise<boolean> {
  const unpushed = ['rev-list', '--max-count=1', '--branches', 'HEAD', '--not', '--remotes']
  const commit = (await runGit(unpushed, { cwd: submodule })).toString('utf8').trim()
  return commit !== '' || (await findChanges(submodule)).length > 0
}
