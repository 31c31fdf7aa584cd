// Mod with an arrow leads to the message before or after, of those that people have written.
import type { Item } from '@quayside/protocol'
import { useEffect, useEffectEvent } from 'react'
import type { RefObject } from 'react'
import type { VirtualizerHandle } from 'virtua'
import type { Row } from './rows.js'

type Prompts = {
  readonly rows: readonly Row[]
  readonly item: (id: string) => Item | undefined
  readonly handle: RefObject<VirtualizerHandle | null>
  readonly onLeaveEnd: () => void
}

/** A message this near to the top is the one that is read. */
const NEAR_PX = 8

export function usePromptKeys({ rows, item, handle, onLeaveEnd }: Prompts): void {
  const go = useEffectEvent((isUp: boolean) => {
    const list = handle.current
    if (!list) return
    const top = (index: number) => list.getItemOffset(index) - list.scrollOffset
    const prompts = rows.flatMap((row, index) =>
      row.type === 'item' && item(row.id)?.type === 'user' ? [index] : [],
    )
    const next = isUp
      ? prompts.findLast((index) => top(index) < -NEAR_PX)
      : prompts.find((index) => top(index) > NEAR_PX)
    if (next === undefined) return
    onLeaveEnd()
    list.scrollToIndex(next, { align: 'start' })
  })

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !isMeant(event)) return
      event.preventDefault()
      go(event.key === 'ArrowUp')
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** In a text these keys move the caret. */
function isMeant({ key, metaKey, ctrlKey, shiftKey, altKey, target }: KeyboardEvent): boolean {
  if (!(metaKey || ctrlKey) || shiftKey || altKey) return false
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return false
  const isField = target instanceof Element && target.matches('input, select, .xterm *')
  return !isField && !(target instanceof HTMLTextAreaElement && target.value !== '')
}
