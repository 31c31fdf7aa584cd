// Gives components the objects that main.tsx builds: sign-in, lists and probes.
import { includesScope, type Scope } from '@quayside/protocol'
import { createContext, use } from 'react'
import type { ReactNode } from 'react'
import type { Access, AccessState } from './access.js'
import type { AgentProbes, ProbeStates } from './agent-probes.js'
import type { HubLists, Lists } from './hub-lists.js'
import { useStore } from '../shared/store.js'

type HubObjects = {
  readonly access: Access
  readonly lists: HubLists
  readonly probes: AgentProbes
}

const HubObjectsContext = createContext<HubObjects | undefined>(undefined)

export function HubObjectsProvider({ children, ...objects }: HubObjects & { children: ReactNode }) {
  return <HubObjectsContext value={objects}>{children}</HubObjectsContext>
}

export function useHubObjects(): HubObjects {
  const objects = use(HubObjectsContext)
  if (!objects) throw new Error('There is no HubObjectsProvider around this component.')
  return objects
}

export function useAccess(): AccessState {
  return useStore(useHubObjects().access.state)
}

/** True when this sign-in has `scope`. The hub checks it too; this only hides controls that would fail. */
export function useMay(scope: Scope): boolean {
  const access = useAccess()
  return access.is === 'signed_in' && includesScope(access.scope, scope)
}

export function useLists(): Lists {
  return useStore(useHubObjects().lists.state)
}

export function useProbes(): ProbeStates {
  return useStore(useHubObjects().probes.state)
}
