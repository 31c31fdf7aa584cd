// Keeps a list at its end while the reader is there. While a pointer is pressed, nothing moves under it.
import { type RefObject, useEffect, useRef } from 'react'
import type { VListHandle } from 'virtua'

const AT_END_PX = 40
const RELEASES = ['pointerup', 'pointercancel', 'blur']

export type ListEnd = {
  /** For the list's events. */
  readonly onScroll: (offset: number) => void
  readonly onPointerDown: () => void
  readonly leave: () => void
}

export function useListEnd(list: RefObject<VListHandle | null>, count: number): ListEnd {
  const isAtEnd = useRef(true)
  /** A click needs its element in one place from the press to the release. */
  const isPressed = useRef(false)
  const isBehind = useRef(false)
  const last = useRef(-1)

  useEffect(() => {
    const stay = () => {
      isBehind.current = isPressed.current
      if (isAtEnd.current && !isPressed.current)
        list.current?.scrollToIndex(last.current, { align: 'end' })
    }
    // The click follows the release.
    const onRelease = () => {
      if (!isPressed.current) return
      requestAnimationFrame(() => {
        isPressed.current = false
        if (isBehind.current) stay()
      })
    }
    last.current = count - 1
    stay()
    for (const type of RELEASES) addEventListener(type, onRelease)
    return () => {
      for (const type of RELEASES) removeEventListener(type, onRelease)
    }
  }, [list, count])

  return {
    onScroll: (offset) => {
      if (isPressed.current) return
      const { scrollSize = 0, viewportSize = 0 } = list.current ?? {}
      isAtEnd.current = offset + viewportSize >= scrollSize - AT_END_PX
    },
    onPointerDown: () => {
      isPressed.current = true
    },
    leave: () => {
      isAtEnd.current = false
    },
  }
}
