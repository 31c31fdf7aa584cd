// The lists of sessions of each client, shared by components with the same filter.
import type { AgentChatClient } from '../client.js'
import { SessionListStore, type SessionsFilter } from './session-list-store.js'

/** The number of unused lists to keep: a component gets its list before it uses it. */
const MAX_UNUSED = 5

const storesOf = new WeakMap<AgentChatClient, Map<string, SessionListStore>>()

export function sessionListStore(
  client: AgentChatClient,
  filter: SessionsFilter,
): SessionListStore {
  const stores = storesOf.get(client) ?? new Map<string, SessionListStore>()
  storesOf.set(client, stores)
  const key = JSON.stringify(filter)
  const store = stores.get(key) ?? new SessionListStore(client, filter)
  // The map is ordered by last use.
  stores.delete(key)
  const unused = [...stores].filter(([, { isUsed }]) => !isUsed)
  for (const [other] of unused.slice(0, -MAX_UNUSED)) stores.delete(other)
  stores.set(key, store)
  return store
}
