// Which changed files of a session a person has looked at, in this browser. A file that changes again was not looked at.
import type { FileChange } from '@quayside/client'
import { useCallback } from 'react'
import { Store, useStore } from '../../shared/store.js'

/** What was in each file when it was looked at. */
type Viewed = Readonly<Record<string, string>>

const stores = new Map<string, Store<Viewed>>()

export function useViewed(sessionId: string) {
  const store = storeOf(sessionId)
  const viewed = useStore(store)
  return {
    /** The same function as long as nothing is marked. */
    isViewed: useCallback((file: FileChange) => viewed[file.path] === contentOf(file), [viewed]),
    mark: (file: FileChange, isViewed: boolean) => {
      const { [file.path]: _, ...others } = store.get()
      const next = isViewed ? { ...others, [file.path]: contentOf(file) } : others
      localStorage.setItem(keyOf(sessionId), JSON.stringify(next))
      store.set(next)
    },
  }
}

/** A large file has no name for its content; it counts as looked at until it is gone. */
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
