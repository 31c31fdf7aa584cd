// Leads to the row that the address names, reading earlier ones until it is there: a search opens at what it found.
import type { Item } from '@quayside/protocol'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useNamedSeq } from '../shared/route.js'
import type { Row } from './rows.js'

type NamedRow = {
  readonly ids: readonly string[]
  readonly item: (id: string) => Item | undefined
  readonly rows: readonly Row[]
  /** Undefined when there is nothing earlier. */
  readonly loadOlder: (() => void) | undefined
  /** Unfolds the work of a turn. */
  readonly open: (turnId: string) => void
  readonly goTo: (place: number) => void
}

/** The id of the item, once it is known. */
export function useNamedRow({ ids, item, rows, ...how }: NamedRow): string | undefined {
  const seq = useNamedSeq()
  const reached = useRef<number>(undefined)
  const id = seq === undefined ? undefined : ids.find((id) => item(id)?.seq === seq)

  const look = useEffectEvent((seq: number | undefined, rows: readonly Row[]) => {
    if (seq === undefined || reached.current === seq || ids.length === 0) return
    const turnId = id === undefined ? undefined : item(id)?.turnId
    const place = rows.findIndex((row) => id !== undefined && isIn(row, id))
    if (place >= 0) {
      reached.current = seq
      how.goTo(place)
    } else if (id === undefined) how.loadOlder?.()
    else if (turnId !== undefined) how.open(turnId)
  })
  useEffect(() => look(seq, rows), [seq, rows])

  return id
}

export function isIn(row: Row, id: string): boolean {
  if (row.type === 'work') return false
  return row.type === 'item' ? row.id === id : row.ids.includes(id)
}
