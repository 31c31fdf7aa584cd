// Scrolls the transcript to the item in the address or to an item that another component points at, else to the last
// position of the reader in this session.
import type { Item } from '@quayside/protocol'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { RefObject } from 'react'
import type { VirtualizerHandle } from 'virtua'
import { useRoute } from '../../shared/route.js'
import type { Row } from './transcript-rows.js'
import { useSessionContext } from '../context/session-context.js'

type Target = {
  /** The id of a row, or of an item in a row. */
  readonly id: string
  /** The distance from the top of the row; without it, the row is centred. */
  readonly offset?: number
}

type Reading = {
  readonly ids: readonly string[]
  readonly rows: readonly Row[]
  readonly item: (id: string) => Item | undefined
  readonly handle: RefObject<VirtualizerHandle | null>
  /** Unfolds the work of a turn. */
  readonly onOpenTurn: (turnId: string) => void
  /** Present while there are earlier rows. */
  readonly loadOlder: (() => void) | undefined
  readonly onLeaveEnd: () => void
}

export type ReadingLocation = {
  /** Call after the reader has scrolled. */
  readonly keep: (offset: number) => void
  readonly isLinked: (row: Row) => boolean
}

/** The maximum number of pages to load for a link to an older item. */
const MAX_PAGES = 40
const NEAR_END_PX = 40
const kept = new Map<string, Target>()

const POINTED = 'quayside:pointed'
type Pointed = { readonly sessionId: string; readonly itemId: string }

declare global {
  interface WindowEventMap {
    [POINTED]: CustomEvent<Pointed>
  }
}

/** Scrolls the open conversation to an item. */
export function pointAt(sessionId: string, itemId: string): void {
  dispatchEvent(new CustomEvent<Pointed>(POINTED, { detail: { sessionId, itemId } }))
}

export function useReadingLocation(reading: Reading): ReadingLocation {
  const { rows, handle } = reading
  const { sessionId, scrollAnchor } = useSessionContext()
  const linked = useLinkedItem(reading)
  const wanted = useRef<Target | undefined>(undefined)
  const pages = useRef(0)

  function show(index: number, { offset }: Target) {
    if (offset === undefined) handle.current?.scrollToIndex(index, { align: 'center' })
    else handle.current?.scrollToIndex(index, { align: 'start', offset })
  }

  function findFurtherBack({ id }: Target) {
    const turnId = reading.item(id)?.turnId
    const fold = rows.find((row) => row.type === 'work' && row.turnId === turnId && !row.isOpen)
    if (fold?.type === 'work') return reading.onOpenTurn(fold.turnId)
    pages.current += 1
    if (pages.current < MAX_PAGES && reading.loadOlder) return reading.loadOlder()
    // The item does not exist; the link is ignored.
    wanted.current = undefined
    scrollAnchor.goToEnd()
  }

  /** Scrolls as soon as the row is loaded. */
  function arrive(known: readonly Row[]) {
    const target = wanted.current
    if (target === undefined || known.length === 0) return
    reading.onLeaveEnd()
    const index = known.findIndex((row) => isIn(row, target.id))
    if (index < 0) return findFurtherBack(target)
    wanted.current = undefined
    // The row has its size after the first render.
    requestAnimationFrame(() => show(index, target))
  }

  useTargets(linked, (target) => {
    wanted.current = target
    pages.current = 0
    arrive(rows)
  })
  const arriveLater = useEffectEvent(arrive)
  useEffect(() => arriveLater(rows), [rows])

  function keep(offset: number) {
    const list = handle.current
    if (!list || wanted.current !== undefined) return
    const index = list.findItemIndex(offset)
    const key = rows[index]?.key
    const isAtEnd = list.scrollSize - offset - list.viewportSize <= NEAR_END_PX
    if (isAtEnd || key === undefined) kept.delete(sessionId)
    else kept.set(sessionId, { id: key, offset: offset - list.getItemOffset(index) })
  }

  return { keep, isLinked: (row) => linked !== undefined && isIn(row, linked) }
}

/**
 * The item in the address. Search results name it by the number of its event, which resolves once the item is loaded.
 */
function useLinkedItem({ ids, item }: Reading): string | undefined {
  const { sessionId } = useSessionContext()
  const route = useRoute()
  const named = route.page === 'session' && route.id === sessionId ? route.item : undefined
  return named && (ids.find((id) => String(item(id)?.seq) === named) ?? named)
}

function useTargets(
  linked: string | undefined,
  onTarget: (target: Target | undefined) => void,
): void {
  const { sessionId } = useSessionContext()
  const followed = useRef<string | undefined>(undefined)
  const seek = useEffectEvent(onTarget)

  useEffect(() => {
    if (linked === undefined) return seek(kept.get(sessionId))
    // Leaving a panel may restore an address that was followed before.
    if (linked !== followed.current) seek({ id: linked })
    followed.current = linked
  }, [sessionId, linked])

  useEffect(() => {
    const onPointed = ({ detail }: CustomEvent<Pointed>) => {
      if (detail.sessionId === sessionId) seek({ id: detail.itemId })
    }
    addEventListener(POINTED, onPointed)
    return () => removeEventListener(POINTED, onPointed)
  }, [sessionId])
}

function isIn(row: Row, id: string): boolean {
  return row.key === id || (row.type === 'tools' && row.ids.includes(id))
}
