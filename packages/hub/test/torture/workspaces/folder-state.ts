// The files of a work tree as the harness sees them, and those of a git tree, byte for byte.
import { execFileSync } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** By path: `file`, `program` or `link`, and the content, one character for each byte. Ignored files are not part of it. */
export type FolderState = ReadonlyMap<string, string>

export const IGNORED = 'ignored'
const KINDS = new Map([
  ['100644', 'file'],
  ['100755', 'program'],
  ['120000', 'link'],
])

export function readFolder(root: string, inner = ''): FolderState {
  const state = new Map<string, string>()
  for (const name of readdirSync(join(root, inner)).toSorted()) {
    if (inner === '' && (name === '.git' || name === IGNORED)) continue
    const path = inner === '' ? name : `${inner}/${name}`
    const stats = lstatSync(join(root, path))
    if (stats.isDirectory()) for (const entry of readFolder(root, path)) state.set(...entry)
    else if (stats.isSymbolicLink()) state.set(path, `link ${readlinkSync(join(root, path))}`)
    else {
      const kind = (stats.mode & 0o111) === 0 ? 'file' : 'program'
      state.set(path, `${kind} ${readFileSync(join(root, path), 'latin1')}`)
    }
  }
  return state
}

/** `objects` are those of a session's snapshots. Throws when git no longer has a part of the tree. */
export function readTree(repository: string, tree: string, objects?: string): FolderState {
  const env = { ...process.env, ...(objects && { GIT_ALTERNATE_OBJECT_DIRECTORIES: objects }) }
  const git = (args: string[], input = ''): Buffer =>
    execFileSync('git', args, { cwd: repository, env, input, maxBuffer: 64 * 1024 * 1024 })
  const entries = git(['ls-tree', '-r', '-z', '--full-tree', tree])
    .toString('latin1')
    .split('\0')
    .filter(Boolean)
    .map((line) => /^(\d+) \w+ (\w+)\t(.+)$/s.exec(line)!)
  const hashes = entries.map(([, , hash]) => `${hash}\n`).join('')
  const output = git(['cat-file', '--batch'], hashes).toString('latin1')
  const state = new Map<string, string>()
  let at = 0
  for (const [, mode = '', hash = '', path = ''] of entries) {
    const header = /^(\w+) blob (\d+)\n/.exec(output.slice(at, at + 100))
    if (header?.[1] !== hash) throw new Error(`git has no content of ${path}`)
    const from = at + header[0].length
    state.set(toText(path), `${KINDS.get(mode)} ${output.slice(from, from + Number(header[2]))}`)
    at = from + Number(header[2]) + 1
  }
  return state
}

/** Of a path as git and the hub name it, one character for each byte. */
export function toText(path: string): string {
  return Buffer.from(path, 'latin1').toString('utf8')
}

export function isSameState(one: FolderState, other: FolderState): boolean {
  return describeDifference(one, other) === ''
}

/** The first paths that differ. */
export function describeDifference(one: FolderState, other: FolderState): string {
  const paths = new Set([...one.keys(), ...other.keys()])
  const differing = [...paths].filter((path) => one.get(path) !== other.get(path))
  return differing
    .slice(0, 5)
    .map((path) => `${path}: ${shorten(one.get(path))} instead of ${shorten(other.get(path))}`)
    .join('; ')
}

function shorten(entry: string | undefined): string {
  return entry === undefined ? 'nothing' : JSON.stringify(entry.slice(0, 40))
}
