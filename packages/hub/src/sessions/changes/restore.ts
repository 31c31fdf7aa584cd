// Changes files of a work tree from one snapshot to another, but only files that are still as in the first one.
import { lstat, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { isInnerPath } from '../../repos/git/git.js'
import { openGitView } from '../../repos/git/git-view.js'
import { toText } from '../../repos/git/status-lines.js'
import {
  copyFiles,
  type Difference,
  isSameEntry,
  LINK_MODE,
  listDifferences,
  PROGRAM_MODE,
  SUBMODULE_MODE,
  type TreeEntry,
} from '../../repos/git/tree-differences.js'
import { objectsIn, type Snapshot } from '../../repos/git/working-tree-snapshot.js'
import { removeFile, replaceFile } from '../../repos/files/replace-file.js'
import { makeTempFolder, removeTempFolder } from '../../temp-folders.js'

/** A change of files from the snapshot `from` to the snapshot `to`; `now` is the present. */
export type Step = {
  /** The folder of the session with the objects of all snapshots. */
  readonly folder: string
  readonly workTree: string
  readonly from: Snapshot
  readonly to: Snapshot
  readonly now: Snapshot
  /** Limits the step to these paths. By default, all files that differ. */
  readonly paths?: readonly string[] | undefined
}

/** Paths as git names them, one character for each byte. */
export type StepPlan = {
  /** Files to write or to remove. */
  readonly paths: readonly string[]
  /** Files that are neither as in `from` nor as in `to`: somebody else has changed them. */
  readonly changed: readonly string[]
  /** Files that no snapshot contains, because they are too large or not readable, and submodules. */
  readonly left: readonly string[]
}

export async function planStep(step: Step): Promise<StepPlan> {
  const { folder, workTree, from, to, now } = step
  await using view = await openGitView(workTree, { alternates: [objectsIn(folder)] })
  const wanted = await listDifferences(view, from.tree, to.tree)
  const since = await listDifferences(view, from.tree, now.tree)
  const unread = new Set([from, to, now].flatMap((snapshot) => snapshot.unread.map(pathOf)))
  const chosen = step.paths === undefined ? undefined : new Set(step.paths)
  const plan = { paths: [] as string[], changed: [] as string[], left: [] as string[] }
  for (const [path, difference] of wanted) {
    if (chosen !== undefined && !chosen.has(path)) continue
    const later = since.get(path)
    const current = later === undefined ? difference.from : later.to
    if (unread.has(toText(path)) || !isRestorable(path, difference)) plan.left.push(path)
    else if (isSameEntry(current, difference.from)) plan.paths.push(path)
    else if (!isSameEntry(current, difference.to)) plan.changed.push(path)
  }
  return plan
}

function pathOf({ path }: { readonly path: string }): string {
  return path
}

function isRestorable(path: string, { from, to }: Difference): boolean {
  return isInnerPath(path) && [from, to].every((entry) => entry?.mode !== SUBMODULE_MODE)
}

/** A step after `planStep` has chosen its files. */
export type PlannedStep = Pick<Step, 'folder' | 'workTree' | 'from' | 'to'> & {
  readonly sessionId: string
  readonly paths: readonly string[]
}

export type PreparedStep = AsyncDisposable & {
  /** Writes the files as they are in `to`. Returns those that cannot be written, which stay as they are. */
  apply(): Promise<string[]>
}

/** Copies the new contents first: when git no longer has one of them, nothing is changed. */
export async function prepareStep(step: PlannedStep): Promise<PreparedStep> {
  const { folder, workTree, from, to } = step
  await using view = await openGitView(workTree, { alternates: [objectsIn(folder)] })
  const differences = await listDifferences(view, from.tree, to.tree)
  const removed: string[] = []
  const written = new Map<string, TreeEntry>()
  for (const path of step.paths) {
    const difference = differences.get(path)
    if (difference?.to) written.set(path, difference.to)
    else if (difference) removed.push(path)
  }
  const copies = await makeTempFolder('restore')
  const dispose = () => removeTempFolder(copies)
  try {
    await copyFiles(view, to.tree, { paths: [...written.keys()], folder: copies })
    for (const path of written.keys()) await lstat(copyOf(copies, path))
  } catch (error) {
    await dispose()
    throw error
  }
  // Remove first, because a file may become a folder.
  const apply = async () => [
    ...(await remove(step, removed)),
    ...(await write(step, written, copies)),
  ]
  return { apply, [Symbol.asyncDispose]: dispose }
}

async function remove({ workTree }: PlannedStep, removed: readonly string[]): Promise<string[]> {
  const failed: string[] = []
  for (const path of removed) if (!(await succeeds(removeFile(workTree, path)))) failed.push(path)
  return failed
}

async function write(
  { sessionId, workTree }: PlannedStep,
  written: ReadonlyMap<string, TreeEntry>,
  copies: string,
): Promise<string[]> {
  const target = { root: workTree, sessionId }
  const failed: string[] = []
  for (const [path, { mode }] of written) {
    const copy = copyOf(copies, path)
    const file =
      mode === LINK_MODE
        ? { is: 'link' as const, target: await readlink(copy, 'buffer') }
        : { is: 'file' as const, bytes: await readFile(copy), isProgram: mode === PROGRAM_MODE }
    if (!(await succeeds(replaceFile(target, path, file)))) failed.push(path)
  }
  return failed
}

function copyOf(copies: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(join(copies, '/')), Buffer.from(path, 'latin1')])
}

/** A folder with other files is in the way, the path leads through a link, or the hub may not write there. */
const NOT_WRITABLE = new Set([
  'EISDIR',
  'ENOTDIR',
  'ENOTEMPTY',
  'EEXIST',
  'ELOOP',
  'EACCES',
  'EPERM',
])

async function succeeds(change: Promise<void>): Promise<boolean> {
  try {
    await change
    return true
  } catch (error) {
    if (NOT_WRITABLE.has((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}
