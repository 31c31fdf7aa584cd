// The items that the transcript shows: those at its end, or a part away from it. Loads earlier and later ones a page at a time, and
// detects rows that were added at the beginning.
import { useTimeline } from '@quayside/client/react'
import { useEffect, useState } from 'react'
import { useSessionContext } from '../context/session-context.js'
import type { Row } from './transcript-rows.js'

export function useShownItems(isAtEnd: boolean) {
  const { sessionId, scrollAnchor } = useSessionContext()
  const { item, part, loadAround, ...end } = useTimeline(sessionId)
  const { ids, hasOlder, loadOlder, loadNewer } = part ?? end
  const isPart = part !== undefined
  const [older, newer] = [useLoading(loadOlder), useLoading(loadNewer)]

  useEffect(() => {
    scrollAnchor.setNewest(!isPart)
    // The list may have scrolled to the end by itself while the part was loaded.
    if (isPart) scrollAnchor.leave()
  }, [scrollAnchor, isPart])

  useEffect(() => {
    // A person who goes to the end leaves the part.
    if (isPart && isAtEnd && scrollAnchor.isAtEnd.get()) void loadAround(Number.POSITIVE_INFINITY)
  }, [scrollAnchor, isPart, isAtEnd, loadAround])

  return { ids, item, hasOlder, isPart, older, newer, loadAround }
}

function useLoading(loadPage: () => Promise<void>) {
  const [isLoading, setLoading] = useState(false)

  function load() {
    if (isLoading) return
    setLoading(true)
    // When it fails, the button stays, and the banner reports the connection.
    void loadPage()
      .catch(() => {})
      .finally(() => setLoading(false))
  }

  return { load, isLoading }
}

/** True when the last change added rows at the beginning. */
export function useShift(rows: readonly Row[]): boolean {
  const [drawn, setDrawn] = useState({ rows, isShifted: false })
  if (drawn.rows !== rows) setDrawn({ rows, isShifted: isShiftOf(drawn.rows, rows) })
  return drawn.isShifted
}

/** The first rows may have another key afterwards: steps of a turn are joined with the earlier ones. */
function isShiftOf(before: readonly Row[], rows: readonly Row[]): boolean {
  for (const [index, { key }] of before.entries()) {
    const at = rows.findIndex((row) => row.key === key)
    if (at >= 0) return at > index
  }
  return false
}
