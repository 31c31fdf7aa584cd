// How components read an open session: following it while it is on the screen, and watching single items.
import type { Item } from '@quayside/protocol'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { useHub } from '../shared/hub-context.js'
import { SessionStore } from './session-store.js'

export function useSessionStore(id: string): SessionStore {
  const { client } = useHub()
  const [store] = useState(() => new SessionStore(client, id))

  useEffect(() => {
    const abort = new AbortController()
    void store.follow(abort.signal)
    return () => abort.abort()
  }, [store])

  return store
}

export function useItem(store: SessionStore, id: string): Item | undefined {
  const subscribe = useCallback(
    (listener: () => void) => store.watchItem(id, listener),
    [store, id],
  )
  return useSyncExternalStore(subscribe, () => store.item(id))
}
