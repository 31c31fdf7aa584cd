// Keys that lead to the two places of a session where something can be done.
import { useEffect } from 'react'

export function useSessionKeys(): void {
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

function onKey(event: KeyboardEvent): void {
  const isTyping =
    event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
  const isDecision = event.altKey && event.code === 'KeyD'
  const isComposer = event.key === '/' && !isTyping && !event.metaKey && !event.ctrlKey
  if (event.isComposing || (!isDecision && !isComposer)) return
  const wanted = isDecision ? '.decision' : '[data-testid=composer-input]'
  const element = document.querySelector<HTMLElement>(wanted)
  if (!element) return
  event.preventDefault()
  element.focus()
}
