// The place of the panels: beside the conversation where there is room, with an edge to drag; else over it.
import { useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { Icon } from '../shared/icon.js'
import { strings } from '../strings.js'
import { closePanel } from './panel-state.js'

const words = strings.panels

type PanelFrameProps = {
  readonly sessionId: string
  readonly head: ReactNode
  readonly children: ReactNode
}

const BESIDE = matchMedia('(min-width: 1180px)')
const WIDTH_KEY = 'quayside.panel-width'
const DEFAULT_WIDTH = 480
const MIN_WIDTH = 340
const MAX_WIDTH = 900
const STEP = 24

/** For what is to be seen in the conversation: a sheet would lie over it. */
export function leaveSheet(sessionId: string): void {
  if (!BESIDE.matches) closePanel(sessionId)
}

export function PanelFrame(props: PanelFrameProps) {
  const isBeside = useSyncExternalStore(onBesideChange, () => BESIDE.matches)
  return isBeside ? <Beside {...props} /> : <Sheet {...props} />
}

function Beside({ sessionId, head, children }: PanelFrameProps) {
  const [width, setWidth] = usePanelWidth()
  return (
    <section className="panel" aria-label={words.panel} style={{ width }}>
      <Edge width={width} onChange={setWidth} />
      <header className="panel-head">
        {head}
        <button
          className="panel-button"
          aria-label={words.closePanel}
          onClick={() => closePanel(sessionId)}
        >
          <Icon name="cross" />
        </button>
      </header>
      {children}
    </section>
  )
}

/** A modal dialog: the browser keeps the focus in it, and Escape and a phone's back gesture close it. */
function Sheet({ sessionId, head, children }: PanelFrameProps) {
  const dialog = useRef<HTMLDialogElement>(null)

  // Closed before it leaves the page: afterwards it could not give the focus back.
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
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
      onCancel={() => closePanel(sessionId)}
      onPointerDown={closeOnBackdrop}
    >
      <div className="panel-inner">
        <header className="panel-head">
          <button
            className="panel-button"
            aria-label={words.back}
            onClick={() => closePanel(sessionId)}
          >
            <Icon name="back" size={18} />
          </button>
          {head}
        </header>
        {children}
      </div>
    </dialog>
  )
}

type EdgeProps = { readonly width: number; readonly onChange: (width: number) => void }

function Edge({ width, onChange }: EdgeProps) {
  const grip = useRef({ x: 0, width })

  function grab({ currentTarget, clientX, pointerId }: PointerEvent) {
    currentTarget.setPointerCapture(pointerId)
    grip.current = { x: clientX, width }
  }

  function drag({ currentTarget, clientX, pointerId }: PointerEvent) {
    if (!currentTarget.hasPointerCapture(pointerId)) return
    onChange(grip.current.width + grip.current.x - clientX)
  }

  function nudge(event: KeyboardEvent) {
    const steps = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key]
    if (steps === undefined) return
    event.preventDefault()
    onChange(width + steps)
  }

  return (
    <div
      className="panel-edge"
      role="separator"
      aria-label={words.width}
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={MAX_WIDTH}
      tabIndex={0}
      onPointerDown={grab}
      onPointerMove={drag}
      onKeyDown={nudge}
    />
  )
}

function usePanelWidth(): [number, (width: number) => void] {
  const [width, setWidth] = useState(() =>
    fitting(Number(localStorage.getItem(WIDTH_KEY)) || DEFAULT_WIDTH),
  )

  function change(wanted: number) {
    const fit = fitting(wanted)
    localStorage.setItem(WIDTH_KEY, String(fit))
    setWidth(fit)
  }

  return [width, change]
}

function fitting(width: number): number {
  return Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)))
}

function onBesideChange(listener: () => void): () => void {
  BESIDE.addEventListener('change', listener)
  return () => BESIDE.removeEventListener('change', listener)
}
