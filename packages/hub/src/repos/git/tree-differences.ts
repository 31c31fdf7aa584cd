// The differences of two trees as git's own entries, and a copy of files of a tree in a folder. For restoring files; compareTrees shows
// differences to people.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitView } from './git-view.js'

/** A file of a tree: its mode and the id of its content. */
export type TreeEntry = { readonly mode: string; readonly id: string }

/** Undefined where there is no file. */
export type Difference = {
  readonly from: TreeEntry | undefined
  readonly to: TreeEntry | undefined
}

const NO_FILE = '000000'
export const LINK_MODE = '120000'
export const PROGRAM_MODE = '100755'
export const SUBMODULE_MODE = '160000'

/** By path, as git names it: one character for each byte. */
export async function listDifferences(
  view: GitView,
  from: string,
  to: string,
): Promise<Map<string, Difference>> {
  const trees = ['--end-of-options', `${from}^{tree}`, `${to}^{tree}`]
  const output = await view.run([
    'diff-tree',
    '-r',
    '-z',
    '--raw',
    '--no-renames',
    '--no-abbrev',
    ...trees,
  ])
  const fields = output.toString('latin1').split('\0')
  const found = new Map<string, Difference>()
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [entries = '', path = ''] = fields.slice(at, at + 2)
    const [fromMode = '', toMode = '', fromId = '', toId = ''] = entries.slice(1).split(' ')
    found.set(path, { from: entryOf(fromMode, fromId), to: entryOf(toMode, toId) })
  }
  return found
}

function entryOf(mode: string, id: string): TreeEntry | undefined {
  return mode === NO_FILE ? undefined : { mode, id }
}

export function isSameEntry(one: TreeEntry | undefined, other: TreeEntry | undefined): boolean {
  return one?.mode === other?.mode && one?.id === other?.id
}

/** With the line ends that the repository's settings ask for. The view's index is replaced. */
export async function copyFiles(
  view: GitView,
  tree: string,
  { paths, folder }: { readonly paths: readonly string[]; readonly folder: string },
): Promise<void> {
  await mkdir(folder, { recursive: true })
  await view.run(['read-tree', '--end-of-options', `${tree}^{tree}`])
  const input = Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1')
  await view.run(
    ['checkout-index', '--force', '-z', '--stdin', `--prefix=${join(folder, '/')}`],
    input,
  )
}
