// The open sessions of each client, shared by all components that show them.
import type { AgentChatClient } from '../client.js'
import { SessionStore } from './session-store.js'

/** The number of unused sessions to keep, so that going back to one is instant. */
const MAX_UNUSED = 5

const storesOf = new WeakMap<AgentChatClient, Map<string, SessionStore>>()

export function sessionStore(client: AgentChatClient, id: string): SessionStore {
  const stores = storesOf.get(client) ?? new Map<string, SessionStore>()
  storesOf.set(client, stores)
  const store = stores.get(id) ?? new SessionStore(client, id)
  // The map is ordered by last use.
  stores.delete(id)
  const unused = [...stores.values()].filter(({ isUsed }) => !isUsed)
  for (const { id } of unused.slice(0, -MAX_UNUSED)) stores.delete(id)
  stores.set(id, store)
  return store
}
