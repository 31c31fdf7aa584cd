// What every row of one session's page may need to know: whose session it is and where it works.
import { createContext, use } from 'react'
import type { ScrollAnchor } from './scroll-anchor.js'

export type SessionContextValue = {
  readonly sessionId: string
  readonly agentName: string
  /** The folder of its repository, which paths are shown without. */
  readonly root: string | undefined
  /** Keeps the conversation at its end. */
  readonly scrollAnchor: ScrollAnchor
  /** Puts a text into the composer, for it to be changed and sent; absent where there is none. */
  readonly compose?: (text: string) => void
}

const SessionContext = createContext<SessionContextValue | undefined>(undefined)
export const SessionProvider = SessionContext

export function useSessionContext(): SessionContextValue {
  const context = use(SessionContext)
  if (!context) throw new Error('There is no SessionProvider around this component.')
  return context
}

/** A path as people name it: from the repository on, and with nothing hidden in it. */
export function shortPath(path: string, root: string | undefined): string {
  return root !== undefined && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
}
