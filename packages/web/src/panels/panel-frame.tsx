// The frame of the panels: beside the conversation with a draggable edge, or over it on small screens. It is there
// before its content is loaded, so that the conversation is laid out once.
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import type { PointerEvent, ReactNode } from 'react'
import { Edge, useKeptWidth } from '../shared/controls/edge.js'
import { Icon } from '../shared/controls/icon.js'
import { restoreFocus, useLeavingFocus } from '../shared/page-focus.js'
import { prefer, usePreferences } from '../shared/preferences.js'
import { strings } from '../strings/strings.js'
import { BESIDE, closePanel } from '../shared/panel-location.js'

const words = strings.panels

type PanelFrameProps = { readonly sessionId: string; readonly children: ReactNode }

const WIDTH = { key: 'quayside.panel-width', initial: 480, min: 340, max: 900 }

export function PanelFrame(props: PanelFrameProps) {
  return useIsBeside() ? <Beside {...props} /> : <Sheet {...props} />
}

/** The first line of the panel: its tabs, and the buttons of the frame. */
export function PanelHead({ sessionId, children }: PanelFrameProps) {
  const isBeside = useIsBeside()
  return (
    <header className="panel-head">
      {!isBeside && (
        <button
          className="panel-button"
          aria-label={words.back}
          onClick={() => closePanel(sessionId)}
        >
          <Icon name="back" size={18} />
        </button>
      )}
      {children}
      {isBeside && <FrameButtons sessionId={sessionId} />}
    </header>
  )
}

function FrameButtons({ sessionId }: { sessionId: string }) {
  const { isPanelWide } = usePreferences()
  return (
    <>
      <button
        className="panel-button"
        aria-label={words.wide}
        title={words.wide}
        aria-pressed={isPanelWide}
        onClick={() => prefer({ isPanelWide: !isPanelWide })}
      >
        <Icon name={isPanelWide ? 'shrink' : 'expand'} />
      </button>
      <button
        className="panel-button"
        aria-label={words.closePanel}
        onClick={() => closePanel(sessionId)}
      >
        <Icon name="cross" />
      </button>
    </>
  )
}

function Beside({ children }: PanelFrameProps) {
  const [width, setWidth] = useKeptWidth(WIDTH)
  const { isPanelWide } = usePreferences()
  const panel = useRef<HTMLElement>(null)
  useLeavingFocus(panel, () => restoreFocus(panelToggle))
  return (
    <section
      ref={panel}
      className="panel"
      aria-label={words.panel}
      tabIndex={-1}
      data-wide={isPanelWide || undefined}
      style={{ width: isPanelWide ? undefined : width }}
    >
      {!isPanelWide && (
        <Edge label={words.width} width={width} limits={WIDTH} at="start" onChange={setWidth} />
      )}
      {children}
    </section>
  )
}

function panelToggle(): HTMLElement | null {
  return document.querySelector<HTMLElement>('.panel-toggle')
}

/** A modal dialog: the browser traps the focus, and Escape and a phone's back gesture close it. */
function Sheet({ sessionId, children }: PanelFrameProps) {
  const dialog = useRef<HTMLDialogElement>(null)

  // Closed before it is unmounted; afterwards it could not return the focus.
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    // Focuses the dialog, not its first button: the person may not use a keyboard.
    shown?.focus()
    return () => shown?.close()
  }, [])

  function closeOnBackdrop({ target, currentTarget }: PointerEvent) {
    if (target === currentTarget) closePanel(sessionId)
  }

  return (
    <dialog
      ref={dialog}
      className="panel panel-sheet"
      aria-label={words.panel}
      tabIndex={-1}
      onCancel={() => closePanel(sessionId)}
      onPointerDown={closeOnBackdrop}
    >
      <div className="panel-inner">{children}</div>
    </dialog>
  )
}

function useIsBeside(): boolean {
  return useSyncExternalStore(onBesideChange, () => BESIDE.matches)
}

function onBesideChange(listener: () => void): () => void {
  BESIDE.addEventListener('change', listener)
  return () => BESIDE.removeEventListener('change', listener)
}
