// The keys of a review: lines, files, viewed mark, comment. They work anywhere in the review, except in a field.
import type { KeyboardEvent, RefObject } from 'react'
import type { ReviewHandle } from './review-list.js'
import { isLine, type LineRow, type ReviewRow } from './review-rows.js'
import type { Review } from './use-review.js'

type Handle = RefObject<ReviewHandle | null>

/** The action of each key, given the current row and whether Shift is pressed. */
type Keys = Readonly<Record<string, (at: number, isMore: boolean) => void>>

export function useReviewKeys(review: Review, handle: Handle) {
  const { rows, selection } = review

  function select(row: LineRow | undefined, isMore: boolean): void {
    if (!row) return
    review.select(row, isMore)
    handle.current?.show(row.key, 'nearest')
  }

  /** Selects the first line of the file, if any, and scrolls to its header. */
  function goToFile(head: ReviewRow | undefined): void {
    if (!head) return
    const line = rows.find((row) => row.is === 'line' && row.file === head.file)
    if (isLine(line)) review.select(line, false)
    else review.clear()
    handle.current?.show(head.key, 'start')
  }

  const heads = rows.filter(({ is }) => is === 'file')
  const headAt = (at: number) => heads.findIndex(({ file }) => file === rows[at]?.file)
  const keys: Keys = {
    j: (at, isMore) => select(rows.slice(at + 1).find(isLine), isMore),
    k: (at, isMore) => select(rows.slice(0, Math.max(at, 0)).findLast(isLine), isMore),
    n: (at) => goToFile(heads[headAt(at) + 1]),
    p: (at) => goToFile(heads[headAt(at) - 1]),
    v: (at) => {
      const file = rows[at]?.file
      if (file) review.view(file, !review.isViewed(file))
    },
    c: () => review.selected.length > 0 && review.comment(),
  }

  return (event: KeyboardEvent): void => {
    const action = keys[event.key.toLowerCase()]
    if (!action || isHandledElsewhere(event)) return
    event.preventDefault()
    const chosen = rows.findIndex(({ key }) => key === selection?.head)
    const top = handle.current?.topFile()
    // The keys start at the selected line, or at the topmost visible file.
    const at = chosen >= 0 ? chosen : rows.findIndex(({ file }) => file.path === top?.path)
    action(at, event.shiftKey)
  }
}

function isHandledElsewhere({
  target,
  metaKey,
  ctrlKey,
  altKey,
  nativeEvent,
}: KeyboardEvent): boolean {
  const field = 'textarea, select, input:not([type=checkbox])'
  const isField = target instanceof Element && target.matches(field)
  return isField || metaKey || ctrlKey || altKey || nativeEvent.isComposing
}
