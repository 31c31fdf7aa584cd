// The public exports of @quayside/client/react: hooks that render only changed items.
import { createContext, createElement, useCallback, useContext, useEffect } from 'react'
import { useSyncExternalStore, type ReactElement, type ReactNode } from 'react'
import type { Item } from '@quayside/protocol'
import type { AgentChatClient } from '../client.js'
import type { Connection } from '../connection/connection.js'
import { sessionListStore } from './session-list-stores.js'
import type { SessionsFilter, SessionsView } from './session-list-store.js'
import { sessionStore } from './session-stores.js'
import type { SessionRows, SessionStore } from './session-store.js'
import type { SessionView } from './session-view.js'

export type { SessionsFilter, SessionsView } from './session-list-store.js'
export type { SessionRows } from './session-store.js'
export type { SessionView } from './session-view.js'

const HubContext = createContext<AgentChatClient | undefined>(undefined)

/** Provides the client to all hooks below it. */
export function HubProvider(props: {
  readonly client: AgentChatClient
  readonly children?: ReactNode
}): ReactElement {
  return createElement(HubContext.Provider, { value: props.client }, props.children)
}

export function useHub(): AgentChatClient {
  const client = useContext(HubContext)
  if (!client) throw new Error('There is no HubProvider around this component.')
  return client
}

/** The connection to the hub; renders on every change. */
export function useConnection(): Connection {
  const client = useHub()
  const subscribe = useCallback(
    (listener: () => void) => client.on('connection', listener),
    [client],
  )
  const get = () => client.connection
  return useSyncExternalStore(subscribe, get, get)
}

/** The matching sessions, updated by the hub's notifications, and read again after a lost connection. */
export function useSessions(filter: SessionsFilter = {}): SessionsView {
  const store = sessionListStore(useHub(), filter)
  useEffect(() => store.use(), [store])
  return useSyncExternalStore(store.view.subscribe, store.view.get, store.view.get)
}

/** A session's state and commands, followed while the component is mounted. Streaming text does not render it. */
export function useSession(id: string): SessionView {
  const { view } = useUsedStore(id)
  return useSyncExternalStore(view.subscribe, view.get, view.get)
}

/** The items of a session; renders only when items are added or moved. */
export function useTimeline(id: string): SessionRows {
  const { rows } = useUsedStore(id)
  return useSyncExternalStore(rows.subscribe, rows.get, rows.get)
}

/** One item of `useTimeline(sessionId).ids`; renders only when it changed. */
export function useTimelineItem(sessionId: string, itemId: string): Item | undefined {
  const store = sessionStore(useHub(), sessionId)
  const subscribe = useCallback(
    (listener: () => void) => store.watchItem(itemId, listener),
    [store, itemId],
  )
  const get = () => store.item(itemId)
  return useSyncExternalStore(subscribe, get, get)
}

/** Several items at once; renders when one of them changed. */
export function useTimelineItems(sessionId: string, itemIds: readonly string[]): readonly Item[] {
  const store = sessionStore(useHub(), sessionId)
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = itemIds.map((id) => store.watchItem(id, listener))
      return () => {
        for (const stop of stops) stop()
      }
    },
    [store, itemIds],
  )
  const items = () => itemIds.flatMap((id) => store.item(id) ?? [])
  const versions = () =>
    items()
      .map(({ updatedSeq }) => updatedSeq)
      .join()
  useSyncExternalStore(subscribe, versions, versions)
  return items()
}

function useUsedStore(id: string): SessionStore {
  const store = sessionStore(useHub(), id)
  useEffect(() => store.use(), [store])
  return store
}
