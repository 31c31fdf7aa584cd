// Gives components the objects that main.tsx made: the client, the sign-in, the lists and the probes.
import type { AgentChatClient } from '@quayside/client'
import { ClientProvider } from '@quayside/client/react'
import { includesScope, type Scope } from '@quayside/protocol'
import { createContext, use } from 'react'
import type { ReactNode } from 'react'
import type { Access, AccessState } from '../access/access.js'
import type { AgentProbes, ProbeStates } from '../agents/agent-probes.js'
import type { HubLists, Lists } from '../home/hub-lists.js'
import { useStore } from './store.js'

export type Hub = {
  readonly client: AgentChatClient
  readonly access: Access
  readonly lists: HubLists
  readonly probes: AgentProbes
}

const HubContext = createContext<Hub | undefined>(undefined)

export function HubProvider({ hub, children }: { hub: Hub; children: ReactNode }) {
  return (
    <ClientProvider client={hub.client}>
      <HubContext value={hub}>{children}</HubContext>
    </ClientProvider>
  )
}

export function useHub(): Hub {
  const hub = use(HubContext)
  if (!hub) throw new Error('There is no HubProvider around this component.')
  return hub
}

export function useAccess(): AccessState {
  return useStore(useHub().access.state)
}

/** Whether this sign-in may do what needs `scope`. The hub checks it too; this is so that nothing is offered in vain. */
export function useMay(scope: Scope): boolean {
  const access = useAccess()
  return access.is === 'signed_in' && includesScope(access.scope, scope)
}

export function useLists(): Lists {
  return useStore(useHub().lists.state)
}

export function useProbes(): ProbeStates {
  return useStore(useHub().probes.state)
}
