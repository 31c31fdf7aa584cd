// Compares two git trees: changed files with line counts, and patches within limits.
import type { FileChange, RepoDiff } from '@quayside/protocol'
import { GitError, toPathArgument } from './git.js'
import type { GitView } from './git-view.js'
import { parseRawAndCounts, splitPatches, type TreeChange } from './tree-diff-output.js'
import type { UnreadFile, WorkingTree } from './working-tree.js'

export type ChangesOptions = {
  /** A file or a folder, relative to the repository. */
  readonly path?: string | undefined
  readonly withPatches?: boolean | undefined
}

const MAX_FILES = 2000
const MAX_PATCHED_FILES = 300
type PatchLimits = { readonly allLines: number; readonly patchCharacters: number }
const ALL_FILES: PatchLimits = { allLines: 20_000, patchCharacters: 256 * 1024 }
/** Of a file or folder that a person opens: a file of 50,000 lines may be rewritten. */
const ONE_PATH: PatchLimits = { allLines: 100_000, patchCharacters: 12 * 1024 * 1024 }
/** git treats larger files as binary, so it never reads them whole for a diff. As large as the files of a snapshot. */
const MAX_COMPARED = '4m'
const DIFF = ['-c', `core.bigFileThreshold=${MAX_COMPARED}`, 'diff-tree', '-r', '-M', '-l1000']
const SAFE = ['--no-ext-diff', '--no-textconv', '--no-color', '--submodule=short']

export async function compareTrees(
  view: GitView,
  trees: { readonly from: WorkingTree; readonly to: WorkingTree },
  { path, withPatches }: ChangesOptions,
): Promise<RepoDiff> {
  const { from, to } = trees
  const paths = path === undefined ? [] : [toPathArgument(path)]
  const ids = [from.tree, to.tree]
  const listed = await listChanges(view, ids, paths)
  const isWanted = (file: UnreadFile) => path === undefined || isAtOrIn(file.path, path)
  const unread = { from: from.unread.filter(isWanted), to: to.unread.filter(isWanted) }
  const { own, large } = takeOutUnread(listed, unread)
  const shown = own.slice(0, MAX_FILES)
  const { allLines, patchCharacters } = path === undefined ? ALL_FILES : ONE_PATH
  const chosen = withPatches ? choosePatched(shown, allLines) : []
  const patches = await readPatches(view, ids, chosen)
  const patchOf = (change: TreeChange) => {
    const patch = patches.get(change)
    return patch !== undefined && patch.length <= patchCharacters ? patch : undefined
  }
  const files = [...shown.map((change) => toFileChange(change, patchOf(change))), ...large]
  const total = own.length + large.length
  return {
    files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)).slice(0, MAX_FILES),
    total,
    added: own.reduce((sum, { added = 0 }) => sum + added, 0),
    removed: own.reduce((sum, { removed = 0 }) => sum + removed, 0),
    isTruncated: total > MAX_FILES,
  }
}

/** When objects are missing (a partial clone, a collected snapshot), returns names without counts. */
async function listChanges(
  view: GitView,
  ids: readonly string[],
  paths: readonly string[],
): Promise<TreeChange[]> {
  const tail = ['--no-abbrev', '-z', ...SAFE, '--end-of-options', ...ids, '--', ...paths]
  try {
    return parseRawAndCounts(await view.run([...DIFF, '--raw', '--numstat', ...tail]))
  } catch (error) {
    if (!(error instanceof GitError && error.code === 'failed')) throw error
    return parseRawAndCounts(await view.run([...DIFF, '--no-renames', '--raw', ...tail]))
  }
}

/** Unread files are in no tree, so git would report them as added or removed. This reports their real changes. */
function takeOutUnread(
  changes: readonly TreeChange[],
  unread: { readonly from: readonly UnreadFile[]; readonly to: readonly UnreadFile[] },
): { own: TreeChange[]; large: FileChange[] } {
  const from = new Map(unread.from.map((file) => [file.path, file]))
  const to = new Map(unread.to.map((file) => [file.path, file]))
  const readBefore = new Set(changes.filter(({ letter }) => letter === 'D').map(pathOf))
  const readNow = new Set(changes.filter(({ letter }) => letter !== 'D').map(pathOf))
  const large = [...new Set([...from.keys(), ...to.keys()])].flatMap((path): FileChange[] => {
    const [before, now] = [from.get(path), to.get(path)]
    const isSame = before?.size === now?.size && before?.mtimeMs === now?.mtimeMs
    if (before && now && isSame) return []
    const wasThere = before !== undefined || readBefore.has(path)
    const isThere = now !== undefined || readNow.has(path)
    const status = wasThere && isThere ? 'M' : isThere ? 'A' : 'D'
    return [{ path, status, kind: 'large' }]
  })
  const own = changes.filter(({ path }) => !from.has(path) && !to.has(path))
  return { own, large }
}

function pathOf({ path }: TreeChange): string {
  return path
}

async function readPatches(
  view: GitView,
  ids: readonly string[],
  chosen: readonly TreeChange[],
): Promise<Map<TreeChange, string>> {
  if (chosen.length === 0) return new Map()
  const names = chosen.flatMap(({ path, oldPath }) => (oldPath ? [oldPath, path] : [path]))
  const paths = names.map(toPathArgument)
  const output = await view
    .run([...DIFF, '-p', ...SAFE, '--end-of-options', ...ids, '--', ...paths])
    .catch(noPatches)
  return splitPatches(output.toString('utf8'), chosen)
}

/** Without patches when git fails: a list without patches is better than none. */
function noPatches(error: unknown): Buffer {
  if (error instanceof GitError && error.code !== 'not_installed') return Buffer.alloc(0)
  throw error
}

function choosePatched(changes: readonly TreeChange[], maxLines: number): TreeChange[] {
  let lines = 0
  return changes.slice(0, MAX_PATCHED_FILES).filter((change) => {
    const { path, oldPath = '', added, removed, isSubmodule } = change
    // A name that is not UTF-8 cannot be an argument.
    if (`${path}${oldPath}`.includes('\ufffd')) return false
    if (isSubmodule) return true
    if (added === undefined || removed === undefined) return false
    if (lines + added + removed > maxLines) return false
    lines += added + removed
    return true
  })
}

function toFileChange(change: TreeChange, patch: string | undefined): FileChange {
  const { path, oldPath, letter, blob, added, removed, isSubmodule, isBinary } = change
  const hasCounts = added !== undefined && removed !== undefined && !isSubmodule
  return {
    path,
    ...(oldPath === undefined ? {} : { oldPath }),
    status: letter === 'A' || letter === 'D' || letter === 'R' ? letter : 'M',
    kind: isSubmodule ? 'submodule' : isBinary ? 'binary' : 'text',
    blob,
    ...(hasCounts ? { added, removed } : {}),
    ...(patch === undefined ? {} : { patch }),
  }
}

function isAtOrIn(path: string, folder: string): boolean {
  const name = folder.replace(/\/+$/, '')
  return path === name || path.startsWith(`${name}/`)
}
