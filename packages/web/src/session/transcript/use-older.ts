// Loads earlier rows one page at a time; `isShifted` is true when the last change added rows at the beginning.
import { useState } from 'react'
import type { Row } from './transcript-rows.js'

export function useOlder(rows: readonly Row[], loadOlder: () => Promise<void>) {
  const [isLoading, setLoading] = useState(false)
  const [drawn, setDrawn] = useState({ rows, isShifted: false })
  if (drawn.rows !== rows) setDrawn({ rows, isShifted: isShiftOf(drawn.rows, rows) })

  function load() {
    if (isLoading) return
    setLoading(true)
    // When it fails, the button stays, and the banner reports the connection.
    void loadOlder()
      .catch(() => {})
      .finally(() => setLoading(false))
  }

  return { load, isLoading, isShifted: drawn.isShifted }
}

function isShiftOf([first]: readonly Row[], rows: readonly Row[]): boolean {
  return rows.findIndex(({ key }) => key === first?.key) > 0
}
