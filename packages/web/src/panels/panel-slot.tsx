// The slot of the side panels on the session page: the button and the keys that open them, and where they appear. Their
// content is loaded when they first open.
import type { SessionChanges } from '@quayside/client'
import { useEffect, useEffectEvent, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { Icon } from '../shared/controls/icon.js'
import { LineCounts } from '../shared/controls/line-counts.js'
import { inOwnScript } from '../shared/controls/trouble.js'
import { focusComposer, focusPanel, isInPanel } from '../shared/page-focus.js'
import type { Loaded } from '../shared/use-loaded.js'
import { strings } from '../strings/strings.js'
import type { PanelTab } from '../shared/route.js'
import { reopenPanel, showPanel, togglePanel, usePanelState } from '../shared/panel-location.js'
import { PanelFrame, PanelHead } from './panel-frame.js'

const words = strings.panels

const SessionPanels = inOwnScript(
  async () => (await import('./session-panels.js')).SessionPanels,
  EmptyHead,
)

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

  // Before the first paint.
  useLayoutEffect(() => reopenPanel(sessionId), [sessionId])

  const press = useEffectEvent((event: KeyboardEvent) => {
    const action = event.defaultPrevented || isOverlaid() ? undefined : actionOf(event)
    if (action === undefined) return
    event.preventDefault()
    if (action === 'toggle' && tab !== undefined) {
      if (isInPanel(document.activeElement)) focusComposer()
      return togglePanel(sessionId)
    }
    // Rendered at once, so that the next key already belongs to the panel.
    flushSync(() => (action === 'toggle' ? togglePanel(sessionId) : showPanel(sessionId, action)))
    focusPanel()
  })

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => press(event)
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])

  if (tab === undefined) return null
  return (
    <PanelFrame sessionId={sessionId}>
      {repoId === undefined ? (
        <EmptyHead sessionId={sessionId} />
      ) : (
        <SessionPanels sessionId={sessionId} repoId={repoId} changes={changes} />
      )}
    </PanelFrame>
  )
}

function EmptyHead({ sessionId }: { sessionId: string }) {
  return (
    <PanelHead sessionId={sessionId}>
      <span className="panel-tabs" />
    </PanelHead>
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
function actionOf({
  key,
  metaKey,
  ctrlKey,
  shiftKey,
  target,
}: KeyboardEvent): PanelTab | 'toggle' | undefined {
  const isInTerminal = target instanceof Element && target.closest('.xterm') !== null
  if ((!metaKey && !ctrlKey) || isInTerminal) return undefined
  if (key === 'j' && !shiftKey) return 'toggle'
  return shiftKey ? KEYS[key.toLowerCase()] : undefined
}
