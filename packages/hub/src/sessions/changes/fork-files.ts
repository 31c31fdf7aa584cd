// The files that a fork begins with: those of a session before or after one of its turns, or as they are now.
import { join } from 'node:path'
import { HubError } from '../../errors.js'
import { objectsIn, type Snapshot, takeSnapshot } from '../../repos/git/working-tree-snapshot.js'
import type { WorktreeFiles } from '../../workspaces/make-worktree.js'
import { findAfter, readCheckpoints } from './checkpoints.js'

/** The files `after` the last turn may be the present ones, because they may not be kept before the next turn begins. */
export type FilesAt = { readonly turnId: string; readonly is: 'before' | 'after' }

export type ForkFilesRequest = {
  /** One folder for each session. */
  readonly folder: string
  /** The session that is forked and its own origins, which the turn may belong to. */
  readonly sessionIds: readonly string[]
  readonly forkId: string
  /** The work tree of the session that is forked. Throws `workspace_missing`, so it is only called when the files are not kept. */
  readonly workTree: () => string
  /** Undefined for the present files. */
  readonly at: FilesAt | undefined
  /** True when no later turn has begun: only people may have changed the files since. */
  readonly isLast: boolean
}

/** Throws `checkpoint_not_found` and `workspace_missing`. */
export async function forkFiles(request: ForkFilesRequest): Promise<WorktreeFiles> {
  const { at, isLast, workTree } = request
  const kept = at && (await findKept(request, at))
  if (kept) return filesOf(kept.snapshot, kept.folder)
  if (at && !isLast) throw new HubError('checkpoint_not_found', { message: NOT_KEPT, ...at })
  const folder = join(request.folder, request.forkId)
  return filesOf(await takeSnapshot(workTree(), { folder }), folder)
}

const NOT_KEPT =
  'The files of this turn were not kept. Fork the session without a turn, to begin with its present files.'

type Kept = { readonly snapshot: Snapshot; readonly folder: string }

async function findKept(
  { folder, sessionIds }: ForkFilesRequest,
  { turnId, is }: FilesAt,
): Promise<Kept | undefined> {
  for (const id of sessionIds) {
    const own = join(folder, id)
    const checkpoints = await readCheckpoints(own)
    const turn = checkpoints.turns.get(turnId)
    if (turn === undefined) continue
    const snapshot = is === 'before' ? turn.before : findAfter(checkpoints, turnId)
    return snapshot && { snapshot, folder: own }
  }
  return undefined
}

function filesOf({ tree, base }: Snapshot, folder: string): WorktreeFiles {
  if (base === undefined)
    throw new HubError('invalid_settings', {
      message: 'The repository had no commit yet, so it cannot have a second work tree.',
    })
  return { tree, commit: base, objects: objectsIn(folder) }
}
