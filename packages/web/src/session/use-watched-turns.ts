// Which turns ended before the reader's eyes and are not to be folded yet: what somebody reads is never folded away.
// At the end of the conversation nobody does, so there they are let go.
import type { Item } from '@quayside/protocol'
import { useEffect, useState } from 'react'

type Turns = {
  readonly ids: readonly string[]
  readonly item: (id: string) => Item | undefined
  readonly isAtEnd: boolean
}

export function useWatchedTurns({ ids, item, isAtEnd }: Turns): ReadonlySet<string> {
  const [watched, setWatched] = useState<ReadonlySet<string>>(new Set())

  useEffect(() => {
    const items = ids.flatMap((id) => item(id) ?? [])
    const ended = new Set(items.flatMap((item) => (item.type === 'turn_end' ? [item.turnId] : [])))
    const running = items.flatMap(({ type, turnId }) =>
      type === 'user' && turnId !== undefined && !ended.has(turnId) ? [turnId] : [],
    )
    const next = new Set([...(isAtEnd ? [] : watched), ...running])
    const isSame = next.size === watched.size && [...next].every((turnId) => watched.has(turnId))
    if (!isSame) setWatched(next)
  }, [ids, item, isAtEnd, watched])

  return watched
}
