// The selected lines of a review, and the comment about them.
import { useCallback, useState } from 'react'
import type { LineSelection } from './line-selection.js'
import type { LineRow } from './review-rows.js'

export function useSelection() {
  const [selection, setSelection] = useState<LineSelection>()
  const [isCommenting, setCommenting] = useState(false)

  /** With `isMore`, the selection is extended to this line. */
  const select = useCallback((row: LineRow, isMore: boolean) => {
    setCommenting(false)
    setSelection((before) =>
      isMore && before && fileOf(before.anchor) === fileOf(row.key)
        ? { anchor: before.anchor, head: row.key }
        : { anchor: row.key, head: row.key },
    )
  }, [])

  return {
    selection,
    /** The line that the comment form follows. */
    commenting: isCommenting ? selection?.head : undefined,
    select,
    comment: useCallback(() => setCommenting(true), []),
    leaveComment: () => setCommenting(false),
    clear: () => {
      setCommenting(false)
      setSelection(undefined)
    },
  }
}

function fileOf(key: string): string {
  return key.slice(0, key.indexOf('\n'))
}
