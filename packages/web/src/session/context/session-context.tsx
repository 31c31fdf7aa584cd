// The context of one session's page: the session, its agent and its repository.
import { createContext, use } from 'react'
import type { ScrollAnchor } from './scroll-anchor.js'

export type SessionContextValue = {
  readonly sessionId: string
  readonly agentName: string
  /** The work tree of the session; paths are shown relative to it. */
  readonly root: string | undefined
  /** Keeps the conversation scrolled to its end. */
  readonly scrollAnchor: ScrollAnchor
  /** Puts a text into the composer for editing; absent for people who may not write. */
  readonly compose?: (text: string) => void
}

const SessionContext = createContext<SessionContextValue | undefined>(undefined)
export const SessionProvider = SessionContext

export function useSessionContext(): SessionContextValue {
  const context = use(SessionContext)
  if (!context) throw new Error('There is no SessionProvider around this component.')
  return context
}

/** A path relative to the work tree. */
export function shortPath(path: string, root: string | undefined): string {
  return root !== undefined && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
}
