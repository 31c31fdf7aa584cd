// Parses `git status --porcelain=v2 --branch -z`. Paths stay bytes (latin1), because names need not be UTF-8.

export type StatusLine = {
  readonly path: string
  readonly oldPath?: string
  /** HEAD against index, one letter; `.` for the same, `?` for untracked, `U` for a conflict. */
  readonly staged: string
  /** Index against file. */
  readonly unstaged: string
  readonly isSubmodule: boolean
}

export type StatusBranch = {
  readonly name?: string
  readonly commit?: string
  readonly upstream?: string
  readonly ahead?: number
  readonly behind?: number
}

export type StatusOutput = { readonly branch: StatusBranch; readonly lines: readonly StatusLine[] }

/** The number of fields before the path. */
const FIELDS_BEFORE_PATH = new Map([
  ['1', 8],
  ['2', 9],
  ['u', 10],
])

export function parseStatus(output: Buffer): StatusOutput {
  const records = output.toString('latin1').split('\0').filter(Boolean)
  const lines: StatusLine[] = []
  let branch: StatusBranch = {}
  for (let at = 0; at < records.length; at++) {
    const record = records[at] ?? ''
    if (record.startsWith('# ')) branch = { ...branch, ...branchFact(record) }
    else if (record.startsWith('? ')) lines.push(untracked(record.slice(2)))
    else if (record.startsWith('2 ')) lines.push(changed(record, records[++at]))
    else lines.push(changed(record))
  }
  return { branch, lines }
}

function untracked(path: string): StatusLine {
  return { path, staged: '?', unstaged: '?', isSubmodule: false }
}

function changed(record: string, oldPath?: string): StatusLine {
  const fields = record.split(' ')
  const [kind = '', letters = '..', submodule = 'N'] = fields
  const path = fields.slice(FIELDS_BEFORE_PATH.get(kind)).join(' ')
  const isConflict = kind === 'u'
  return {
    path,
    ...(oldPath === undefined ? {} : { oldPath }),
    staged: isConflict ? 'U' : letters.slice(0, 1),
    unstaged: isConflict ? 'U' : letters.slice(1, 2),
    isSubmodule: submodule.startsWith('S'),
  }
}

function branchFact(record: string): StatusBranch {
  const [, name, ...rest] = record.split(' ')
  const value = toText(rest.join(' '))
  if (name === 'branch.oid') return value === '(initial)' ? {} : { commit: value }
  if (name === 'branch.head') return value === '(detached)' ? {} : { name: value }
  if (name === 'branch.upstream') return { upstream: value }
  const counts = name === 'branch.ab' ? /^\+(\d+) -(\d+)$/.exec(value) : null
  return counts === null ? {} : { ahead: Number(counts[1]), behind: Number(counts[2]) }
}

/** Decodes the bytes of a path for people. */
export function toText(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
