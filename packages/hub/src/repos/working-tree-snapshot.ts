// What a session or a turn changed: the work tree at its start, kept as a tree outside of the repository, against the work tree
// now. Works in a dirty tree and without commits, and writes nothing into the repository or its index.
import { join } from 'node:path'
import type { SessionChanges } from '@quayside/protocol'
import { GitError } from './git.js'
import { type GitView, openGitView } from './git-view.js'
import { type ChangesWish, compareTrees } from './tree-changes.js'
import { type WorkingTree, writeWorkingTree } from './working-tree.js'

/** Plain JSON. Its objects are in the folder it was taken into; removing that folder forgets it. */
export type Snapshot = WorkingTree & { readonly at: number }

/** Where the objects of a snapshot are: in its own folder, or in one that was there before. */
export type SnapshotPlace = { readonly folder: string; readonly known?: string | undefined }

/** What is in the folder `known` is not stored once more. */
export async function takeSnapshot(repoPath: string, place: SnapshotPlace): Promise<Snapshot> {
  const at = Date.now()
  const { folder, known } = place
  await using view = await openGitView(repoPath, {
    objects: objectsIn(folder),
    alternates: known === undefined ? [] : [objectsIn(known)],
  })
  return { ...(await writeWorkingTree(view)), at }
}

/** `folder` and `known` are those the snapshot was taken with. */
export async function changesSince(
  repoPath: string,
  snapshot: Snapshot,
  { folder, known = folder, ...wish }: ChangesWish & SnapshotPlace,
): Promise<SessionChanges> {
  const alternates = [...new Set([folder, known])].map(objectsIn)
  await using view = await openGitView(repoPath, { alternates })
  if (!(await hasTree(view, snapshot.tree))) return { is: 'gone' }
  const now = await writeWorkingTree(view)
  return { is: 'known', ...(await compareTrees(view, { from: snapshot, to: now }, wish)) }
}

function objectsIn(folder: string): string {
  return join(folder, 'objects')
}

/** The commit that is checked out, or nothing before the first one. */
export async function findHead(view: GitView): Promise<string | undefined> {
  return orNothing(view.line(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']))
}

async function hasTree(view: GitView, tree: string): Promise<boolean> {
  if (!/^[0-9a-f]{40,64}$/.test(tree)) return false
  // `ls-tree -r` would read every folder; the root is what a removed folder takes away first.
  const found = await orNothing(view.run(['cat-file', '-e', `${tree}^{tree}`]))
  return found !== undefined
}

async function orNothing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof GitError && error.code === 'failed') return undefined
    throw error
  }
}
