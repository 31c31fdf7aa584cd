// The changed files that a person has marked as viewed, in this browser. A later change of a file removes its mark.
import type { FileChange } from '@quayside/client'
import { useCallback } from 'react'
import { Store, useStore } from '../../shared/store.js'

/** The content of each file when it was marked. */
type Viewed = Readonly<Record<string, string>>

const stores = new Map<string, Store<Viewed>>()

export function useViewed(sessionId: string) {
  const store = storeOf(sessionId)
  const viewed = useStore(store)
  return {
    /** Stable until a mark changes. */
    isViewed: useCallback((file: FileChange) => viewed[file.path] === contentOf(file), [viewed]),
    mark: (file: FileChange, isViewed: boolean) => {
      const { [file.path]: _, ...others } = store.get()
      const next = isViewed ? { ...others, [file.path]: contentOf(file) } : others
      localStorage.setItem(keyOf(sessionId), JSON.stringify(next))
      store.set(next)
    },
  }
}

/** Large files have no content hash; their mark stays until they are no longer changed. */
function contentOf({ status, blob = '' }: FileChange): string {
  return `${status === 'D' ? 'D' : ''}${blob}`
}

function storeOf(sessionId: string): Store<Viewed> {
  const store = stores.get(sessionId) ?? new Store(remembered(sessionId))
  stores.set(sessionId, store)
  return store
}

function remembered(sessionId: string): Viewed {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(keyOf(sessionId)) ?? '{}')
    return typeof saved === 'object' && saved !== null ? (saved as Viewed) : {}
  } catch {
    return {}
  }
}

function keyOf(sessionId: string): string {
  return `quayside.viewed.${sessionId}`
}
