// The row of a conversation that somebody elsewhere on the page points at.
import { Store, useStore } from '../shared/store.js'

type Wanted = { readonly sessionId: string; readonly itemId: string }

const wanted = new Store<Wanted | undefined>(undefined)

export function pointAt(sessionId: string, itemId: string): void {
  wanted.set({ sessionId, itemId })
}

/** What it opened may be closed again. */
export function forgetWanted(): void {
  wanted.set(undefined)
}

/** Another object each time that somebody points at one. */
export function useWantedRow(sessionId: string): Wanted | undefined {
  const now = useStore(wanted)
  return now?.sessionId === sessionId ? now : undefined
}
