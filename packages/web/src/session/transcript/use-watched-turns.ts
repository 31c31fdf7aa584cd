// The turns that were drawn unfolded, because they were running or not wholly loaded. Their work is not folded until the
// reader is back at the end, so that text does not disappear under the eyes.
import type { Item } from '@quayside/protocol'
import { useMemo, useState } from 'react'
import { isLongWork } from './transcript-rows.js'

type Turns = {
  readonly ids: readonly string[]
  readonly item: (id: string) => Item | undefined
  readonly isAtEnd: boolean
}

export function useWatchedTurns({ ids, item, isAtEnd }: Turns): ReadonlySet<string> {
  const [watched, setWatched] = useState<ReadonlySet<string>>(new Set())
  const unfolded = useMemo(() => unfoldedTurns(ids.flatMap((id) => item(id) ?? [])), [ids, item])
  const next = isAtEnd ? unfolded : new Set([...watched, ...unfolded])
  if (next.size === watched.size && [...next].every((turnId) => watched.has(turnId))) return watched
  setWatched(next)
  // Rows are made once for a change, so that rows which it adds at the beginning are noticed.
  return next
}

/** The turns whose end is not loaded, and the first one if only a few of its steps are. */
function unfoldedTurns(items: readonly Item[]): ReadonlySet<string> {
  const turnIds = new Set(items.flatMap(({ turnId }) => turnId ?? []))
  const cut = items[0]?.turnId
  const isCutShort = !isLongWork(items.filter(({ turnId }) => turnId === cut))
  for (const { type, turnId } of items)
    if (type === 'turn_end' && turnId !== undefined && !(turnId === cut && isCutShort))
      turnIds.delete(turnId)
  return turnIds
}
