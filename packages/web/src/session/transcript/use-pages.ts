// The items that the transcript shows: those at its end, or a part away from it. Loads earlier and later ones a page at a time, and
// detects items that were added at the beginning.
import { useTimeline } from '@quayside/client/react'
import { useEffect, useState } from 'react'
import { useSessionContext } from '../context/session-context.js'
import type { Row } from './transcript-rows.js'

export function useShownItems(isAtEnd: boolean) {
  const { sessionId, scrollAnchor } = useSessionContext()
  const { item, part, loadAround, ...end } = useTimeline(sessionId)
  const { ids, start, hasOlder, loadOlder, loadNewer } = part ?? end
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

  return { ids, start, item, hasOlder, isPart, older, newer, loadAround }
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

type Shown = {
  readonly ids: readonly string[]
  readonly start: number
  readonly rows: readonly Row[]
}

/** True when the last change added items at the beginning. */
export function useShift({ ids, start, rows }: Shown): boolean {
  const [drawn, setDrawn] = useState({ ids, start, rows, isShifted: false })
  if (drawn.rows !== rows) {
    // Also a part elsewhere in the conversation begins earlier.
    const isShifted = start < drawn.start && drawn.ids.some((id) => ids.includes(id))
    setDrawn({ ids, start, rows, isShifted })
  }
  return drawn.isShifted
}
