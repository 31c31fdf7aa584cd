// Mod with an arrow key scrolls to the previous or next prompt.
import type { Item } from '@quayside/protocol'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { RefObject } from 'react'
import type { VirtualizerHandle } from 'virtua'
import { hasOpenLayer } from '../../shared/page-focus.js'
import type { Row } from './transcript-rows.js'

type Prompts = {
  readonly rows: readonly Row[]
  readonly item: (id: string) => Item | undefined
  readonly handle: RefObject<VirtualizerHandle | null>
  readonly onLeaveEnd: () => void
}

/** A prompt this close to the top is the current one. */
const NEAR_PX = 8
/** A person scrolls by these. */
const BY_HAND = ['wheel', 'touchmove', 'pointerdown'] as const
const SCROLLING_KEYS = new Set(['PageUp', 'PageDown', 'Home', 'End'])

export function usePromptKeys({ rows, item, handle, onLeaveEnd }: Prompts): void {
  /** The row of the last jump, until a person scrolls. */
  const aim = useRef<string | undefined>(undefined)
  const go = useEffectEvent((isUp: boolean) => {
    const list = handle.current
    if (!list) return
    const top = (index: number) => list.getItemOffset(index) - list.scrollOffset
    const prompts = rows.flatMap((row, index) =>
      row.type === 'item' && item(row.id)?.type === 'user' ? [index] : [],
    )
    // Its scroll may still be underway.
    const goal = rows.findIndex((row) => row.key === aim.current)
    const next = isUp
      ? prompts.findLast((index) => (goal < 0 ? top(index) < -NEAR_PX : index < goal))
      : prompts.find((index) => (goal < 0 ? top(index) > NEAR_PX : index > goal))
    if (next === undefined) return
    aim.current = rows[next]?.key
    onLeaveEnd()
    list.scrollToIndex(next, { align: 'start' })
  })

  useEffect(() => {
    const forget = () => (aim.current = undefined)
    const onKey = (event: KeyboardEvent) => {
      if (SCROLLING_KEYS.has(event.key)) forget()
      if (event.defaultPrevented || !isMeant(event) || hasOpenLayer()) return
      event.preventDefault()
      go(event.key === 'ArrowUp')
    }
    document.addEventListener('keydown', onKey)
    for (const name of BY_HAND) document.addEventListener(name, forget, { passive: true })
    return () => {
      document.removeEventListener('keydown', onKey)
      for (const name of BY_HAND) document.removeEventListener(name, forget)
    }
  }, [])
}

/** In a text field these keys move the caret. */
function isMeant({ key, metaKey, ctrlKey, shiftKey, altKey, target }: KeyboardEvent): boolean {
  if (!(metaKey || ctrlKey) || shiftKey || altKey) return false
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return false
  const isField = target instanceof Element && target.matches('input, select, .xterm *')
  return !isField && !(target instanceof HTMLTextAreaElement && target.value !== '')
}
