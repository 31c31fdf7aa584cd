// Scrolls the transcript to the item in the address or to an item that another component points at, else to the last
// position of the reader in this session.
import type { Item } from '@quayside/protocol'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { RefObject } from 'react'
import type { VirtualizerHandle } from 'virtua'
import { useRoute } from '../../shared/route.js'
import { isInRow, type Row } from './transcript-rows.js'
import { useSessionContext } from '../context/session-context.js'

type Target = {
  /** The id of a row, or of an item in a row. */
  readonly id: string
  /** An event of it, around which the conversation is loaded. Without it, earlier pages are searched for the row. */
  readonly seq?: number | undefined
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
  readonly loadAround: (seq: number) => Promise<void>
  readonly onLeaveEnd: () => void
}

export type ReadingLocation = {
  /** Call after the reader has scrolled. */
  readonly keep: (offset: number) => void
  readonly isLinked: (row: Row) => boolean
  readonly goTo: (target: Target) => void
}

/** The maximum number of pages to load for a link to an older item without an event. */
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
  const { sessionId } = useSessionContext()
  const linked = useLinkedItem(reading)
  const { goTo, isUnderway } = useArrival(reading, linked)
  useTargets(linked, goTo)

  function keep(offset: number) {
    const list = handle.current
    if (!list || isUnderway()) return
    const index = list.findItemIndex(offset)
    const key = rows[index]?.key
    const isAtEnd = list.scrollSize - offset - list.viewportSize <= NEAR_END_PX
    if (isAtEnd || key === undefined) kept.delete(sessionId)
    else {
      const seq = reading.item(key)?.updatedSeq
      kept.set(sessionId, { id: key, seq, offset: offset - list.getItemOffset(index) })
    }
  }

  return { keep, goTo, isLinked: (row) => linked !== undefined && isInRow(row, linked) }
}

/** Scrolls to a target as soon as its row is there. */
function useArrival(reading: Reading, linked: string | undefined) {
  const { rows, handle } = reading
  const { scrollAnchor } = useSessionContext()
  const wanted = useRef<Target | undefined>(undefined)
  const pages = useRef(0)
  /** The target around which the conversation was loaded last. */
  const [loaded, setLoaded] = useState<Target>()

  function findFurtherBack(target: Target) {
    const { id, seq } = target
    const turnId = reading.item(id)?.turnId
    const fold = rows.find((row) => row.type === 'work' && row.turnId === turnId && !row.isOpen)
    if (fold?.type === 'work') return reading.onOpenTurn(fold.turnId)
    pages.current += 1
    if (seq !== undefined && pages.current === 1) {
      const load = reading.loadAround(seq).catch(() => {})
      return void load.finally(() => setLoaded(target))
    }
    if (seq !== undefined && loaded !== target) return
    if (seq === undefined && pages.current < MAX_PAGES && reading.loadOlder)
      return reading.loadOlder()
    // The item does not exist; the link is ignored.
    wanted.current = undefined
    if (linked !== undefined) scrollAnchor.goToEnd()
  }

  function arrive(known: readonly Row[]) {
    const target = wanted.current
    if (target === undefined || known.length === 0) return
    reading.onLeaveEnd()
    const index = known.findIndex((row) => isInRow(row, target.id))
    if (index < 0) return findFurtherBack(target)
    wanted.current = undefined
    // The row has its size after the first render. New rows above it may have moved the reader to the end meanwhile.
    requestAnimationFrame(() => {
      reading.onLeaveEnd()
      scrollTo(handle.current, index, target)
    })
  }

  const arriveLater = useEffectEvent(arrive)
  useEffect(() => arriveLater(rows), [rows])
  const giveUpOn = useEffectEvent((target: Target) => {
    if (wanted.current === target) arrive(rows)
  })
  useEffect(() => {
    if (loaded) giveUpOn(loaded)
  }, [loaded])

  function goTo(target: Target | undefined) {
    wanted.current = target
    pages.current = 0
    arrive(rows)
  }

  return { goTo, isUnderway: () => wanted.current !== undefined }
}

function scrollTo(list: VirtualizerHandle | null, index: number, { offset }: Target): void {
  if (offset === undefined) list?.scrollToIndex(index, { align: 'center' })
  else list?.scrollToIndex(index, { align: 'start', offset })
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
    if (linked !== followed.current) seek({ id: linked, seq: seqIn(linked) })
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

function seqIn(linked: string): number | undefined {
  return /^\d+$/.test(linked) ? Number(linked) : undefined
}
