// What every row of one session's page may need to know: whose session it is and where it works.
import { createContext, use } from 'react'
import type { EndKeeper } from './scroll-anchor.js'

export type SessionPlace = {
  readonly sessionId: string
  readonly agentName: string
  /** The folder of its repository, which paths are shown without. */
  readonly root: string | undefined
  /** Keeps the conversation at its end. */
  readonly end: EndKeeper
  /** Puts a text into the composer, for it to be changed and sent; absent where there is none. */
  readonly compose?: (text: string) => void
}

const SessionContext = createContext<SessionPlace | undefined>(undefined)
export const SessionProvider = SessionContext

export function useSessionPlace(): SessionPlace {
  const place = use(SessionContext)
  if (!place) throw new Error('There is no SessionProvider around this component.')
  return place
}

/** A path as people name it: from the repository on, and with nothing hidden in it. */
export function shortPath(path: string, root: string | undefined): string {
  return root !== undefined && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
}
