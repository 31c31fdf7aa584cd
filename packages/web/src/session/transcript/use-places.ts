// The places of a text in the whole conversation, searched by the hub while a person types.
import type { AgentSession } from '@quayside/client'
import type { FoundPlace } from '@quayside/protocol'
import { useEffect, useRef, useState } from 'react'

export type Found = {
  readonly wanted: string
  /** Newest first. */
  readonly places: readonly FoundPlace[]
  /** False while more is searched, and when there are too many. */
  readonly isWhole: boolean
}

const PAGE = 100
/** A person does not go through more. */
const MAX_PLACES = 1_000

/** Undefined until the first answer to this text. */
export function usePlaces(session: AgentSession | undefined, wanted: string): Found | undefined {
  const [found, setFound] = useState<Found>()
  const running = useRef<Promise<void>>(Promise.resolve())

  useEffect(() => {
    if (!session || wanted.trim() === '') return undefined
    let isCurrent = true
    async function search(session: AgentSession) {
      const places: FoundPlace[] = []
      let cursor: string | undefined
      do {
        if (!isCurrent) return
        const page = await session.find(wanted, { limit: PAGE, cursor })
        places.push(...page.places)
        cursor = page.nextCursor
        const isWhole = cursor === undefined
        if (isCurrent && (places.length > 0 || isWhole))
          setFound({ wanted, places: [...places], isWhole })
      } while (cursor !== undefined && places.length < MAX_PLACES)
    }
    // One request at a time: letters that are typed meanwhile wait for its answer, and only the last text is searched.
    // When it fails, the banner reports the connection.
    running.current = running.current.then(() => search(session)).catch(() => {})
    return () => {
      isCurrent = false
    }
  }, [session, wanted])

  return found?.wanted === wanted ? found : undefined
}
