// The turns that are undone, folded from the notices of the conversation.
import { useTimeline } from '@quayside/client/react'
import type { Item, NoticeItem } from '@quayside/protocol'
import { useMemo } from 'react'
import { useSessionContext } from '../context/session-context.js'

export type UndoneTurn = { readonly turnId: string | undefined; readonly noticeId: string }

/** In the order of the undos: redo brings back the last one. */
export function undoneTurns(items: readonly Item[]): readonly UndoneTurn[] {
  const undone = new Map<unknown, UndoneTurn>()
  for (const { id, code, turnId, details } of items.filter(isRestore))
    if (code === 'turn_undone') undone.set(details?.['undoId'], { turnId, noticeId: id })
    else undone.delete(details?.['undoId'])
  return [...undone.values()]
}

/** A notice about an undo or a redo. */
export function isRestore(item: Item): item is NoticeItem {
  return item.type === 'notice' && (item.code === 'turn_undone' || item.code === 'turn_redone')
}

export function useUndoneTurns(): readonly UndoneTurn[] {
  const { sessionId } = useSessionContext()
  const restores = useRestores(sessionId)
  return useMemo(() => undoneTurns(restores), [restores])
}

/** The notices about undo and redo, oldest first. */
export function useRestores(sessionId: string): readonly NoticeItem[] {
  const { ids, item } = useTimeline(sessionId)
  return useMemo(() => ids.flatMap((id) => item(id) ?? []).filter(isRestore), [ids, item])
}
