// Number keys choose an option of the open decision, except while typing or below a dialog.
import type { PermissionOption } from '@quayside/protocol'
import { useEffect, useEffectEvent } from 'react'
import { hasOpenLayer } from '../../shared/page-focus.js'
import { preferences } from '../../shared/preferences.js'

export function useDecisionKeys(
  options: readonly PermissionOption[],
  choose: (option: PermissionOption) => void,
): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!preferences().singleKeys || hasOpenLayer()) return
    if (event.isComposing || event.repeat || isModified(event) || isTyping(event.target)) return
    const option = /^[1-9]$/.test(event.key) ? options[Number(event.key) - 1] : undefined
    if (option) choose(option)
  })

  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

function isModified({ metaKey, ctrlKey, altKey }: KeyboardEvent): boolean {
  return metaKey || ctrlKey || altKey
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select')
}
