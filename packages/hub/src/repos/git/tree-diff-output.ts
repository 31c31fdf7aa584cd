// Parses `git diff-tree`: raw lines and line counts (with -z), and patches split per file (without).
import { toText } from './status-lines.js'

export type TreeChange = {
  readonly path: string
  readonly oldPath?: string
  /** git's letter: A, M, D, R, T. */
  readonly letter: string
  /** The object id of the new content; all zeros for a removed file. */
  readonly blob: string
  readonly isSubmodule: boolean
  readonly isBinary: boolean
  readonly added?: number
  readonly removed?: number
}

type Counts = { readonly added?: number; readonly removed?: number; readonly isBinary: boolean }

const SUBMODULE_MODE = '160000'

/** `:modes ids letter NUL path NUL [path NUL]` for each file, then `added TAB removed TAB path NUL` for each. */
export function parseRawAndCounts(output: Buffer): TreeChange[] {
  const fields = output.toString('latin1').split('\0')
  const raw: Omit<TreeChange, 'isBinary'>[] = []
  const counts = new Map<string, Counts>()
  for (let at = 0; at < fields.length;) {
    const field = fields[at++] ?? ''
    if (field.startsWith(':')) {
      const [oldMode, newMode, , blob = '', letter = 'M'] = field.slice(1).split(' ')
      const paths = [fields[at++] ?? '']
      if (letter.startsWith('R')) paths.push(fields[at++] ?? '')
      raw.push({
        ...namesOf(paths.map(toText)),
        letter: letter.slice(0, 1),
        blob,
        isSubmodule: oldMode === SUBMODULE_MODE || newMode === SUBMODULE_MODE,
      })
    } else if (field !== '') {
      const [added = '-', removed = '-', ...rest] = field.split('\t')
      // An empty name means a rename: the old and the new name follow.
      const path = rest.join('\t') || (fields[(at += 2) - 1] ?? '')
      counts.set(toText(path), toCounts(added, removed))
    }
  }
  return raw.map((change) => ({ ...change, ...(counts.get(change.path) ?? { isBinary: false }) }))
}

function namesOf([first = '', second]: readonly string[]): { path: string; oldPath?: string } {
  return second === undefined ? { path: first } : { path: second, oldPath: first }
}

function toCounts(added: string, removed: string): Counts {
  if (added === '-') return { isBinary: true }
  return { added: Number(added), removed: Number(removed), isBinary: false }
}

/**
 * Assigns patches to changes, in git's order. A line of a patch never starts with `diff --git`, because every
 * line of content follows a blank, plus or minus; and without -z git escapes line breaks in names.
 */
export function splitPatches(
  output: string,
  changes: readonly TreeChange[],
): Map<TreeChange, string> {
  const parts = output.split(/^(?=diff --git )/m).filter(Boolean)
  // A file that became a link, or the reverse, has two patches: a removal and an addition.
  const sizes = changes.map(({ letter }) => (letter === 'T' ? 2 : 1))
  if (sizes.reduce((sum, size) => sum + size, 0) !== parts.length) return new Map()
  let at = 0
  return new Map(
    changes.map((change, index) => {
      const start = at
      at += sizes[index] ?? 1
      return [change, parts.slice(start, at).join('')]
    }),
  )
}
