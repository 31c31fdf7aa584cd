// Keys that move the focus to the parts of a session.
import { useEffect } from 'react'
import { hasOpenLayer } from '../shared/page-focus.js'

export function useSessionKeys(): void {
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

function onKey(event: KeyboardEvent): void {
  const selector = event.isComposing || hasOpenLayer() ? undefined : selectorFor(event)
  const element = selector && document.querySelector<HTMLElement>(selector)
  if (!element) return
  event.preventDefault()
  element.focus()
  // Opens the menu as a key press on its button would.
  if (selector === OPTIONS)
    element.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }))
}

const DECISION = '.decision'
const OPTIONS = '[data-testid^=config-]'

function selectorFor({
  code,
  altKey,
  shiftKey,
  metaKey,
  ctrlKey,
}: KeyboardEvent): string | undefined {
  if (altKey && code === 'KeyD') return DECISION
  return (metaKey || ctrlKey) && shiftKey && code === 'KeyM' ? OPTIONS : undefined
}
