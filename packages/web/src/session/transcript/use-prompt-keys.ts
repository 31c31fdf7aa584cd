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
const UNDERWAY_MS = 500

/** The row of the last jump, and its time. */
type Aim = { readonly at: number; readonly key?: string | undefined }

export function usePromptKeys({ rows, item, handle, onLeaveEnd }: Prompts): void {
  const aim = useRef<Aim>({ at: Number.NEGATIVE_INFINITY })
  const go = useEffectEvent((isUp: boolean) => {
    const list = handle.current
    if (!list) return
    const top = (index: number) => list.getItemOffset(index) - list.scrollOffset
    const prompts = rows.flatMap((row, index) =>
      row.type === 'item' && item(row.id)?.type === 'user' ? [index] : [],
    )
    // During a smooth scroll, the next jump starts from the target of the last one.
    const { at, key } = aim.current
    const isUnderway = performance.now() - at < UNDERWAY_MS
    const goal = isUnderway ? rows.findIndex((row) => row.key === key) : -1
    const next = isUp
      ? prompts.findLast((index) => (goal < 0 ? top(index) < -NEAR_PX : index < goal))
      : prompts.find((index) => (goal < 0 ? top(index) > NEAR_PX : index > goal))
    if (next === undefined) return
    aim.current = { at: performance.now(), key: rows[next]?.key }
    onLeaveEnd()
    list.scrollToIndex(next, { align: 'start' })
  })

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !isMeant(event) || hasOpenLayer()) return
      event.preventDefault()
      go(event.key === 'ArrowUp')
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** In a text field these keys move the caret. */
function isMeant({ key, metaKey, ctrlKey, shiftKey, altKey, target }: KeyboardEvent): boolean {
  if (!(metaKey || ctrlKey) || shiftKey || altKey) return false
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return false
  const isField = target instanceof Element && target.matches('input, select, .xterm *')
  return !isField && !(target instanceof HTMLTextAreaElement && target.value !== '')
}
