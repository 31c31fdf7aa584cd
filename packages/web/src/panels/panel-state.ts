// Which panel of a session is open, remembered for each session in this browser. Anybody on the page may open one.
import { Store, useStore } from '../shared/store.js'

export const PANEL_TABS = ['changes', 'terminals', 'files', 'wire'] as const
export type PanelTab = (typeof PANEL_TABS)[number]

/** What a panel shows of all that it could. */
export type PanelPlace = {
  /** The file that the Files panel shows, and the line that is pointed at. */
  readonly file?: string | undefined
  readonly line?: number | undefined
  /** The terminal that the Terminals panel shows. */
  readonly terminal?: string | undefined
}

export type PanelState = PanelPlace & { readonly isOpen: boolean; readonly tab: PanelTab }

const stores = new Map<string, Store<PanelState>>()

export function usePanelState(sessionId: string): PanelState {
  return useStore(storeOf(sessionId))
}

/** Opens the panel at this tab, and at a place in it. */
export function showPanel(sessionId: string, tab: PanelTab, place: PanelPlace = {}): void {
  const line = place.file === undefined ? {} : { line: place.line }
  change(sessionId, { isOpen: true, tab, ...place, ...line })
}

/** The tab stays what it was. */
export function togglePanel(sessionId: string): void {
  change(sessionId, { isOpen: !storeOf(sessionId).get().isOpen })
}

export function closePanel(sessionId: string): void {
  change(sessionId, { isOpen: false })
}

export function showFile(sessionId: string, file: string | undefined): void {
  change(sessionId, { file, line: undefined })
}

function change(sessionId: string, changes: Partial<PanelState>): void {
  const store = storeOf(sessionId)
  const state = { ...store.get(), ...changes }
  localStorage.setItem(keyOf(sessionId), JSON.stringify(state))
  store.set(state)
}

function storeOf(sessionId: string): Store<PanelState> {
  const known = stores.get(sessionId)
  if (known) return known
  const store = new Store(remembered(sessionId))
  stores.set(sessionId, store)
  return store
}

/** What another version of the app has written may have another shape. */
function remembered(sessionId: string): PanelState {
  const state: PanelState = { isOpen: false, tab: 'changes' }
  try {
    const saved: Partial<PanelState> = JSON.parse(localStorage.getItem(keyOf(sessionId)) ?? '{}')
    const tab = PANEL_TABS.find((name) => name === saved.tab) ?? state.tab
    const file = typeof saved.file === 'string' ? saved.file : undefined
    const line = typeof saved.line === 'number' ? saved.line : undefined
    const terminal = typeof saved.terminal === 'string' ? saved.terminal : undefined
    return { isOpen: saved.isOpen === true, tab, file, line, terminal }
  } catch {
    return state
  }
}

function keyOf(sessionId: string): string {
  return `quayside.panels.${sessionId}`
}
