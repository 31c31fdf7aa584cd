// The rows of a review: all changed files, each with its header and, unless folded, its lines.
import type { FileChange } from '@quayside/client'
import type { LineComment } from '../../drafts/line-comments.js'
import type { PatchGap, PatchLine, PatchRow } from '../../code/patch-rows.js'

/** The state of a file's patch. */
export type Patch =
  | { readonly is: 'loading' }
  | { readonly is: 'known'; readonly rows: readonly PatchRow[] }
  /** Loaded, but too large to draw without a request. */
  | { readonly is: 'large'; readonly characters: number }
  /** The file has no lines to show, or loading failed. */
  | { readonly is: 'none'; readonly text: string; readonly canRetry: boolean }

type Base = { readonly key: string; readonly file: FileChange }

/** A line of the unified view, or both sides of a line. Selection and comments refer to its key. */
export type LineRow = Base & {
  readonly is: 'line'
  readonly left?: PatchLine | undefined
  readonly right?: PatchLine | undefined
}

export type ReviewRow =
  | LineRow
  | (Base & { readonly is: 'file'; readonly isFolded: boolean })
  | (Base & { readonly is: 'gap'; readonly gap: PatchGap })
  | (Base & { readonly is: 'note'; readonly text: string; readonly canRetry?: boolean })
  /** Not loaded yet: `large` waits for a click, `unread` until it is visible. */
  | (Base & { readonly is: 'unread' })
  | (Base & { readonly is: 'large'; readonly characters?: number })
  | (Base & { readonly is: 'loading' })
  | (Base & { readonly is: 'form' })
  | (Base & { readonly is: 'comment'; readonly comment: LineComment })

export type ReviewOptions = {
  readonly isSplit: boolean
  readonly isFolded: (file: FileChange) => boolean
  readonly isLarge: (file: FileChange) => boolean
  readonly patchOf: (file: FileChange) => Patch | undefined
  /** The whole new file, once a person has asked for omitted lines. */
  readonly linesOf: (file: FileChange) => readonly string[] | undefined
  readonly isOpen: (file: FileChange, gap: PatchGap) => boolean
  /** The key of the line whose comment is being written. */
  readonly commenting: string | undefined
  readonly comments: readonly LineComment[]
}

export function reviewRows(files: readonly FileChange[], options: ReviewOptions): ReviewRow[] {
  return files.flatMap((file): ReviewRow[] => {
    const isFolded = options.isFolded(file)
    const head: ReviewRow = { is: 'file', key: file.path, file, isFolded }
    return isFolded ? [head] : [head, ...bodyOf(file, options)]
  })
}

export function isLine(row: ReviewRow | undefined): row is LineRow {
  return row?.is === 'line'
}

/** The key of a line: by its number in the new file or, for a removed line, in the old file. */
function lineKey({ path }: FileChange, { sign, number }: PatchLine): string {
  return `${path}\n${sign === '-' ? '-' : '+'}${number}`
}

function bodyOf(file: FileChange, options: ReviewOptions): ReviewRow[] {
  const patch = options.patchOf(file)
  const one = (is: 'unread' | 'large' | 'loading'): ReviewRow[] => [
    { is, key: `${file.path}\n${is}`, file },
  ]
  if (patch === undefined) return one(options.isLarge(file) ? 'large' : 'unread')
  if (patch.is === 'loading') return one('loading')
  if (patch.is === 'large')
    return [{ is: 'large', key: `${file.path}\nlarge`, file, characters: patch.characters }]
  if (patch.is === 'none') {
    const { text, canRetry } = patch
    return [{ is: 'note', key: `${file.path}\nnone`, file, text, canRetry }]
  }
  return withComments(linesOf(file, patch.rows, options), options)
}

function linesOf(file: FileChange, rows: readonly PatchRow[], options: ReviewOptions): ReviewRow[] {
  const shown = rows.flatMap((row): PatchRow[] => {
    if (row.is !== 'gap') return [row]
    const lines = options.linesOf(file)
    if (isEmpty(row, file, lines)) return []
    return lines && options.isOpen(file, row) ? leftOut(row, lines) : [row]
  })
  const drawn = options.isSplit ? sideBySide(shown) : shown.map(oneSided)
  return drawn.map((row, at): ReviewRow => {
    if (row.is === 'pair') {
      const line = row.right ?? row.left
      const key = line ? lineKey(file, line) : `${file.path}\n${at}`
      return { is: 'line', key, file, left: row.left, right: row.right }
    }
    if (row.is === 'gap') return { is: 'gap', key: `${file.path}\ngap${row.from}`, file, gap: row }
    return { is: 'note', key: `${file.path}\nnote${at}`, file, text: row.text }
  })
}

/** A new or deleted file has no omitted lines; for other files the end is known once the file is loaded. */
function isEmpty(
  { from, to }: PatchGap,
  { status }: FileChange,
  lines: readonly string[] | undefined,
): boolean {
  if (status === 'A' || status === 'D') return true
  return from > (to ?? lines?.length ?? Number.POSITIVE_INFINITY)
}

function leftOut({ from, to, shift }: PatchGap, lines: readonly string[]): PatchLine[] {
  return lines.slice(from - 1, to).map((text, at) => {
    const number = from + at
    return { is: 'line', sign: ' ', number, before: number + shift, text }
  })
}

type Pair = {
  readonly is: 'pair'
  readonly left?: PatchLine | undefined
  readonly right?: PatchLine | undefined
}
type Drawn = Pair | Exclude<PatchRow, PatchLine>

function oneSided(row: PatchRow): Drawn {
  if (row.is !== 'line') return row
  return row.sign === '-' ? { is: 'pair', left: row } : { is: 'pair', right: row }
}

/** Puts removed lines beside the added lines that follow them, and unchanged lines on both sides. */
function sideBySide(rows: readonly PatchRow[]): Drawn[] {
  const drawn: Drawn[] = []
  let removed: PatchLine[] = []
  const rest = () => {
    drawn.push(...removed.map((left): Pair => ({ is: 'pair', left })))
    removed = []
  }
  for (const row of rows) {
    if (row.is === 'line' && row.sign === '-') removed.push(row)
    else if (row.is === 'line' && row.sign === '+')
      drawn.push({ is: 'pair', left: removed.shift(), right: row })
    else {
      rest()
      drawn.push(row.is === 'line' ? { is: 'pair', left: row, right: row } : row)
    }
  }
  rest()
  return drawn
}

/** Inserts comments below the last line they refer to. */
function withComments(rows: readonly ReviewRow[], options: ReviewOptions): ReviewRow[] {
  const { comments, commenting } = options
  return rows.flatMap((row): ReviewRow[] => {
    if (row.is !== 'line') return [row]
    const { file, key } = row
    const own = comments.filter((comment) => comment.at === key)
    return [
      row,
      ...own.map((comment): ReviewRow => ({ is: 'comment', key: comment.id, file, comment })),
      ...(commenting === key ? [{ is: 'form', key: `${key}\nform`, file } as const] : []),
    ]
  })
}
