// The state of a review: folded files, selected lines, the comment being written, and the resulting rows.
import type { FileChange } from '@quayside/client'
import { useMemo, useState } from 'react'
import { draftOf } from '../../drafts/draft.js'
import { useStore } from '../../shared/store.js'
import { commentOn, selectedRows } from './line-selection.js'
import { readOf, type Patches } from './patches.js'
import { reviewRows } from './review-rows.js'
import { useSelection } from './use-selection.js'
import { useViewed } from './viewed-files.js'

/** Files with more changed lines start folded; above the second limit, a file is loaded only on request. */
const FOLDED_LINES = 400
const LARGE_LINES = 1_500

type ReviewOptions = {
  readonly sessionId: string
  readonly files: readonly FileChange[]
  readonly patches: Patches
  readonly isSplit: boolean
  /** Called when the files differ from the listed ones. */
  readonly onStale: () => void
}

export type Review = ReturnType<typeof useReview>

export function useReview({ sessionId, files, patches, isSplit, onStale }: ReviewOptions) {
  const draft = draftOf(sessionId)
  const comments = useStore(draft.comments)
  const reads = useStore(patches.reads)
  const { isViewed, mark } = useViewed(sessionId)
  const [folds, setFolds] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [gaps, setGaps] = useState<ReadonlySet<string>>(new Set())
  const selecting = useSelection()
  const { selection, commenting, clear } = selecting

  const rows = useMemo(
    () =>
      reviewRows(files, {
        isSplit,
        isFolded: (file) => folds.get(file.path) ?? (isViewed(file) || isQuiet(file)),
        isLarge,
        patchOf: (file) => readOf(reads, file)?.patch,
        linesOf: (file) => readOf(reads, file)?.lines,
        isOpen: ({ path }, { from }) => gaps.has(`${path}\n${from}`),
        commenting,
        comments,
      }),
    [files, isSplit, reads, folds, gaps, commenting, comments, isViewed],
  )
  const selected = useMemo(() => selectedRows(rows, selection), [rows, selection])
  const fold = ({ path }: FileChange, isFolded: boolean) =>
    setFolds(new Map([...folds, [path, isFolded]]))

  return {
    ...selecting,
    rows,
    reads,
    selected,
    isViewed,
    fold,
    addComment: (text: string) => {
      const comment = commentOn(selected, text)
      if (comment) draft.setComments([...comments, comment])
      clear()
    },
    removeComment: (id: string) => draft.setComments(comments.filter((one) => one.id !== id)),
    /** Marking a file as viewed also folds it. */
    view: (file: FileChange, isSeen: boolean) => {
      mark(file, isSeen)
      fold(file, isSeen)
    },
    showLeftOut: async (file: FileChange, from: number) => {
      setGaps(new Set([...gaps, `${file.path}\n${from}`]))
      if (!readOf(reads, file)?.lines && !(await patches.loadLines(file.path))) onStale()
    },
  }
}

export function changedLines({ added = 0, removed = 0 }: FileChange): number {
  return added + removed
}

function isLarge(file: FileChange): boolean {
  return changedLines(file) > LARGE_LINES
}

/** Deleted files and files with very many changes start folded. */
function isQuiet(file: FileChange): boolean {
  const lines = changedLines(file)
  return file.status === 'D' || (lines > FOLDED_LINES && lines <= LARGE_LINES)
}
