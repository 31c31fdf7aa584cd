// The edge between two columns: dragged, or moved with the arrow keys. The width is stored in this browser.
import { useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'

export type WidthLimits = {
  /** The storage key. */
  readonly key: string
  readonly initial: number
  readonly min: number
  readonly max: number
}

type EdgeProps = {
  readonly label: string
  readonly width: number
  readonly limits: WidthLimits
  /** The side of its column. */
  readonly at: 'start' | 'end'
  readonly onChange: (width: number) => void
}

const STEP = 24

export function Edge({ label, width, limits, at, onChange }: EdgeProps) {
  const grip = useRef({ x: 0, width })
  const outwards = at === 'end' ? 1 : -1

  function grab({ currentTarget, clientX, pointerId }: PointerEvent) {
    currentTarget.setPointerCapture(pointerId)
    grip.current = { x: clientX, width }
  }

  function drag({ currentTarget, clientX, pointerId }: PointerEvent) {
    if (!currentTarget.hasPointerCapture(pointerId)) return
    onChange(grip.current.width + outwards * (clientX - grip.current.x))
  }

  function nudge(event: KeyboardEvent) {
    const steps = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key]
    if (steps === undefined) return
    event.preventDefault()
    onChange(width + outwards * steps)
  }

  return (
    <div
      className="edge"
      data-at={at}
      role="separator"
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={limits.min}
      aria-valuemax={limits.max}
      tabIndex={0}
      onPointerDown={grab}
      onPointerMove={drag}
      onDoubleClick={() => onChange(limits.initial)}
      onKeyDown={nudge}
    />
  )
}

export function useKeptWidth(limits: WidthLimits): [number, (width: number) => void] {
  const { key, initial } = limits
  const [width, setWidth] = useState(() =>
    fitting(Number(localStorage.getItem(key)) || initial, limits),
  )

  function change(wanted: number) {
    const fit = fitting(wanted, limits)
    localStorage.setItem(key, String(fit))
    setWidth(fit)
  }

  return [width, change]
}

function fitting(width: number, { min, max }: WidthLimits): number {
  return Math.round(Math.min(max, Math.max(min, width)))
}
