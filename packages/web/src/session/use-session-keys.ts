// Keys that lead to the places of a session where something can be done.
import { useEffect } from 'react'
import { hasOpenLayer } from '../shared/page-focus.js'

export function useSessionKeys(): void {
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

function onKey(event: KeyboardEvent): void {
  const place = event.isComposing || hasOpenLayer() ? undefined : placeOf(event)
  const element = place && document.querySelector<HTMLElement>(place)
  if (!element) return
  event.preventDefault()
  element.focus()
  // A menu opens as it does for who goes there by keys.
  if (place === OPTIONS)
    element.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }))
}

const DECISION = '.decision'
const OPTIONS = '[data-testid^=config-]'

function placeOf({ code, altKey, shiftKey, metaKey, ctrlKey }: KeyboardEvent): string | undefined {
  if (altKey && code === 'KeyD') return DECISION
  return (metaKey || ctrlKey) && shiftKey && code === 'KeyM' ? OPTIONS : undefined
}
