// The turns that ended while the reader was watching. Their work is not folded until the reader is back at the end, so
// that text does not disappear under the eyes.
import type { Item } from '@quayside/protocol'
import { useMemo, useState } from 'react'

type Turns = {
  readonly ids: readonly string[]
  readonly item: (id: string) => Item | undefined
  readonly isAtEnd: boolean
}

export function useWatchedTurns({ ids, item, isAtEnd }: Turns): ReadonlySet<string> {
  const [watched, setWatched] = useState<ReadonlySet<string>>(new Set())
  const running = useMemo(() => runningTurns(ids, item), [ids, item])
  const next = isAtEnd ? running : new Set([...watched, ...running])
  if (next.size !== watched.size || [...next].some((turnId) => !watched.has(turnId)))
    setWatched(next)
  return watched
}

function runningTurns(ids: readonly string[], item: Turns['item']): ReadonlySet<string> {
  const items = ids.flatMap((id) => item(id) ?? [])
  const ended = new Set(items.flatMap((item) => (item.type === 'turn_end' ? [item.turnId] : [])))
  return new Set(
    items.flatMap(({ type, turnId }) =>
      type === 'user' && turnId !== undefined && !ended.has(turnId) ? [turnId] : [],
    ),
  )
}
