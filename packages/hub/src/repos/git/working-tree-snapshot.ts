// Snapshots of a work tree, stored as git trees outside of the repository, and the changes since then. Works with
// uncommitted changes and without commits, and writes nothing into the repository or its index.
import { join } from 'node:path'
import type { SessionChanges } from '@quayside/protocol'
import { unlessFailed } from './git.js'
import { type GitView, openGitView } from './git-view.js'
import { type ChangesOptions, compareTrees } from './tree-changes.js'
import { type WorkingTree, writeWorkingTree } from './working-tree.js'

/** Plain JSON. Its objects are in the folder of its location; removing that folder deletes the snapshot. */
export type Snapshot = WorkingTree & { readonly at: number }

/** The folder for new objects, and a folder `known` of an earlier snapshot. */
export type SnapshotLocation = { readonly folder: string; readonly known?: string | undefined }

/** Objects in the folder `known` are not stored again. */
export async function takeSnapshot(
  repoPath: string,
  location: SnapshotLocation,
): Promise<Snapshot> {
  const at = Date.now()
  const { folder, known } = location
  await using view = await openGitView(repoPath, {
    objects: objectsIn(folder),
    alternates: known === undefined ? [] : [objectsIn(known)],
  })
  return { ...(await writeWorkingTree(view)), at }
}

/** Needs the `folder` of `takeSnapshot`. */
export async function changesSince(
  repoPath: string,
  snapshot: Snapshot,
  { folder, ...options }: ChangesOptions & { readonly folder: string },
): Promise<SessionChanges> {
  await using view = await openGitView(repoPath, { alternates: [objectsIn(folder)] })
  if (!(await hasTree(view, snapshot.tree))) return { is: 'gone' }
  const now = await writeWorkingTree(view)
  return { is: 'known', ...(await compareTrees(view, { from: snapshot, to: now }, options)) }
}

/** The difference of two snapshots in one `folder`. */
export async function changesBetween(
  repoPath: string,
  snapshots: { readonly from: Snapshot; readonly to: Snapshot },
  { folder, ...options }: ChangesOptions & { readonly folder: string },
): Promise<SessionChanges> {
  await using view = await openGitView(repoPath, { alternates: [objectsIn(folder)] })
  const { from, to } = snapshots
  const trees = await Promise.all([from, to].map(({ tree }) => hasTree(view, tree)))
  if (trees.includes(false)) return { is: 'gone' }
  return { is: 'known', ...(await compareTrees(view, snapshots, options)) }
}

export function objectsIn(folder: string): string {
  return join(folder, 'objects')
}

/** The checked out commit; undefined before the first commit. */
export async function findHead(view: GitView): Promise<string | undefined> {
  return unlessFailed(view.line(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']))
}

async function hasTree(view: GitView, tree: string): Promise<boolean> {
  if (!/^[0-9a-f]{40,64}$/.test(tree)) return false
  // Checks the root only: `ls-tree -r` would read every folder, and removing the snapshot's folder removes the root too.
  const found = await unlessFailed(view.run(['cat-file', '-e', `${tree}^{tree}`]))
  return found !== undefined
}
