// The slot of the side panels on the session page: the button that opens them, and where they appear. The panels are
// loaded when they first open.
import type { SessionChanges } from '@quayside/client'
import { lazy, Suspense, useEffect } from 'react'
import { Icon } from '../shared/controls/icon.js'
import { LineCounts } from '../shared/controls/line-counts.js'
import type { Loaded } from '../shared/use-loaded.js'
import { strings } from '../strings/strings.js'
import type { PanelTab } from '../shared/route.js'
import { reopenPanel, showPanel, togglePanel, usePanelState } from '../shared/panel-location.js'

const words = strings.panels

const SessionPanels = lazy(async () => {
  const { SessionPanels } = await import('./session-panels.js')
  return { default: SessionPanels }
})

const KEYS: Readonly<Record<string, PanelTab>> = { d: 'changes', e: 'terminals' }

export function PanelToggle({ sessionId }: { sessionId: string }) {
  const isOpen = usePanelState(sessionId).tab !== undefined
  return (
    <button
      className="icon-button panel-toggle"
      aria-label={isOpen ? words.closePanel : words.openPanel}
      aria-expanded={isOpen}
      onClick={() => togglePanel(sessionId)}
    >
      <Icon name="panel" size={18} />
    </button>
  )
}

/** Shows how much the session changed, and opens the changes. */
export function ChangesButton({ sessionId, changes }: Omit<PanelSlotProps, 'repoId'>) {
  const { value } = changes
  if (value?.is !== 'known' || value.total === 0) return null
  const { added, removed, total } = value
  return (
    <button
      type="button"
      className="changes-open"
      title={words.openChanges(total, added, removed)}
      onClick={() => showPanel(sessionId, 'changes')}
    >
      <LineCounts added={added} removed={removed} />
      <span className="visually-hidden">{words.openChanges(total, added, removed)}</span>
    </button>
  )
}

type PanelSlotProps = {
  readonly sessionId: string
  readonly repoId: string | undefined
  readonly changes: Loaded<SessionChanges>
}

export function PanelSlot({ sessionId, repoId, changes }: PanelSlotProps) {
  const { tab } = usePanelState(sessionId)

  useEffect(() => {
    reopenPanel(sessionId)
  }, [sessionId])

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isOverlaid()) return
      if (act(sessionId, event)) event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [sessionId])

  if (tab === undefined || repoId === undefined) return null
  return (
    <Suspense fallback={null}>
      <SessionPanels sessionId={sessionId} repoId={repoId} changes={changes} />
    </Suspense>
  )
}

/** The keys work over a panel that is drawn as a sheet, but not over other dialogs. */
function isOverlaid(): boolean {
  return document.querySelector('dialog[open]:not(.panel)') !== null
}

/**
 * Mod+J opens and closes the panel; Mod+Shift+D and Mod+Shift+E open a tab. In a terminal these keys belong to the
 * program.
 */
function act(
  sessionId: string,
  { key, metaKey, ctrlKey, shiftKey, target }: KeyboardEvent,
): boolean {
  const isInTerminal = target instanceof Element && target.closest('.xterm') !== null
  if ((!metaKey && !ctrlKey) || isInTerminal) return false
  const tab = KEYS[key.toLowerCase()]
  if (key === 'j' && !shiftKey) togglePanel(sessionId)
  else if (shiftKey && tab) showPanel(sessionId, tab)
  else return false
  return true
}
