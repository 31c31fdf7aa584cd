// Where in a conversation somebody reads: the item that the address names or that something on the page points at, else
// where they were before they looked at another session.
import type { Item } from '@quayside/protocol'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { RefObject } from 'react'
import type { VirtualizerHandle } from 'virtua'
import { useRoute } from '../../shared/route.js'
import type { Row } from './transcript-rows.js'
import { useSessionContext } from '../context/session-context.js'

type Target = {
  /** A row, or an item in one. */
  readonly id: string
  /** How far below its beginning; without it the row is shown in the middle. */
  readonly offset?: number
}

type Reading = {
  readonly ids: readonly string[]
  readonly rows: readonly Row[]
  readonly item: (id: string) => Item | undefined
  readonly handle: RefObject<VirtualizerHandle | null>
  /** Unfolds the work of a turn. */
  readonly onOpenTurn: (turnId: string) => void
  /** Given while there are earlier rows. */
  readonly loadOlder: (() => void) | undefined
  readonly onLeaveEnd: () => void
}

export type ReadingLocation = {
  /** To be called when the reader has scrolled. */
  readonly keep: (offset: number) => void
  readonly isLinked: (row: Row) => boolean
}

/** A link that leads further back is not followed for ever. */
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

/** Leads the reader to an item of the conversation that is on the page. */
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
    // There is no such place: as if nothing had been named.
    wanted.current = undefined
    scrollAnchor.goToEnd()
  }

  /** Goes there as soon as its row is known. */
  function arrive(known: readonly Row[]) {
    const target = wanted.current
    if (target === undefined || known.length === 0) return
    reading.onLeaveEnd()
    const index = known.findIndex((row) => isIn(row, target.id))
    if (index < 0) return findFurtherBack(target)
    wanted.current = undefined
    // The row has its size only when it was drawn once.
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

/** The item that the address names. A search names it by its event, whose number is known when the item is. */
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
    // The way out of a panel may lead back to what was followed before.
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
