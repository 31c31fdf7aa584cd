// Pressing Esc twice stops the turn. The first press only shows a hint, so that work is not stopped by accident.
import { useEffect, useEffectEvent, useState } from 'react'
import { hasOpenLayer } from '../shared/page-focus.js'

const AGAIN_WITHIN_MS = 2_000

/** True while a second Esc would stop the turn. */
export function useEscapeStop(isOn: boolean, stop: () => void): boolean {
  const [isEscaped, setEscaped] = useState(false)
  const isArmed = isOn && isEscaped

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    // Esc closes an open layer first.
    const isTaken = event.defaultPrevented || event.isComposing || event.repeat
    if (event.key !== 'Escape' || isTaken || hasOpenLayer()) return
    if (isArmed) stop()
    setEscaped(!isArmed)
  })

  useEffect(() => {
    if (!isOn) return undefined
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [isOn])

  useEffect(() => {
    if (!isEscaped) return undefined
    const timer = setTimeout(() => setEscaped(false), AGAIN_WITHIN_MS)
    return () => clearTimeout(timer)
  }, [isEscaped])

  return isArmed
}
