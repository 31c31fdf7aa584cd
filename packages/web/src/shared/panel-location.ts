// The open panel of a session. It is part of the address, so that links and the browser's buttons work; the last one is
// stored per session in this browser.
import { prefer } from './preferences.js'
import { navigate, PANEL_TABS, routeOf, sessionPath, useRoute } from './route.js'
import type { PanelLocation, PanelTab, SessionRoute } from './route.js'

export type PanelState = PanelLocation & {
  /** Undefined while the panel is closed. */
  readonly tab: PanelTab | undefined
}

/** The number of history steps back to the conversation without a panel; unknown after a link into the panel. */
type Steps = { readonly panelSteps?: number | undefined }

/** Matches when there is room for the panel beside the conversation. */
export const BESIDE = matchMedia('(min-width: 1180px)')
const NOWHERE: PanelLocation = { file: undefined, line: undefined, terminal: undefined }
const CLOSED: PanelState = { tab: undefined, ...NOWHERE }

export function usePanelState(sessionId: string): PanelState {
  return stateIn(useRoute(), sessionId)
}

/** Opens the panel at a tab and, optionally, a file or terminal. */
export function showPanel(
  sessionId: string,
  tab: PanelTab,
  location: Partial<PanelLocation> = {},
): void {
  // Another tab or terminal replaces the history entry; a file adds one that leads back.
  const replace = isOpen(sessionId) && location.file === undefined
  go(sessionId, { tab, ...NOWHERE, ...location }, { replace })
}

/** Reopens the last tab. */
export function togglePanel(sessionId: string): void {
  if (isOpen(sessionId)) return closePanel(sessionId)
  const { tab = 'changes', ...location } = remembered(sessionId)
  go(sessionId, { tab, ...location })
}

/** Goes back in the history to before the panel, so that the back button does not reopen it. */
export function closePanel(sessionId: string): void {
  const steps = stepsBack()
  remember(sessionId, { ...here(sessionId), isOpen: false })
  if (steps === undefined) navigate(sessionPath(sessionId), { replace: true })
  else history.go(-steps)
}

/** Makes room for the conversation: closes a sheet that covers it, and narrows a wide panel. */
export function revealConversation(sessionId: string): void {
  if (!BESIDE.matches) closePanel(sessionId)
  else prefer({ isPanelWide: false })
}

/** Shows a file in the open tab, or its list. */
export function showFile(sessionId: string, file: string | undefined): void {
  const { tab } = here(sessionId)
  if (tab !== undefined) go(sessionId, { tab, ...NOWHERE, file })
}

/** Opens the panel again if it was open when this session was left, unless it would cover the conversation. */
export function reopenPanel(sessionId: string): void {
  const last = remembered(sessionId)
  const isWanted = last.isOpen && !isOpen(sessionId) && location.hash === ''
  if (isWanted && BESIDE.matches) go(sessionId, last, { replace: true })
}

function go(sessionId: string, to: PanelState, { replace = false } = {}): void {
  const back = isOpen(sessionId) ? stepsBack() : replace ? undefined : 0
  const panelSteps = back === undefined || replace ? back : back + 1
  remember(sessionId, { ...to, isOpen: true })
  const state: Steps = { panelSteps }
  navigate(sessionPath(sessionId, to), { replace, state })
}

function here(sessionId: string): PanelState {
  return stateIn(routeOf(new URL(location.href)), sessionId)
}

function isOpen(sessionId: string): boolean {
  return here(sessionId).tab !== undefined
}

function stateIn(route: SessionRoute | { readonly page: string }, sessionId: string): PanelState {
  if (!('tab' in route) || route.id !== sessionId) return CLOSED
  const { tab, file, line, terminal } = route
  return { tab, file, line, terminal }
}

function stepsBack(): number | undefined {
  const { panelSteps } = (history.state ?? {}) as Steps
  return panelSteps
}

type Remembered = PanelState & { readonly isOpen: boolean }

function remember(sessionId: string, last: Remembered): void {
  try {
    localStorage.setItem(keyOf(sessionId), JSON.stringify(last))
  } catch {
    // Without storage the person opens it by hand.
  }
}

/** Another version of the app may have stored another format. */
function remembered(sessionId: string): Remembered {
  try {
    const saved = JSON.parse(localStorage.getItem(keyOf(sessionId)) ?? '{}') as Partial<Remembered>
    const tab = PANEL_TABS.find((name) => name === saved.tab)
    const file = typeof saved.file === 'string' ? saved.file : undefined
    const line = typeof saved.line === 'number' ? saved.line : undefined
    const terminal = typeof saved.terminal === 'string' ? saved.terminal : undefined
    const isOpen = saved.isOpen === true && tab !== undefined
    return { isOpen, tab, file, line, terminal }
  } catch {
    return { ...CLOSED, isOpen: false }
  }
}

function keyOf(sessionId: string): string {
  return `quayside.panels.${sessionId}`
}
