// Where the focus is and where it goes: who works with the keyboard is never sent back to the beginning of the page.
import { useEffectEvent, useLayoutEffect } from 'react'
import type { RefObject } from 'react'

/** True while a menu or a dialog has the keys for itself. */
export function hasOpenLayer(): boolean {
  return document.querySelector('[role=menu], [role=dialog], dialog[open]') !== null
}

/** On a phone the focus would open the keyboard over what is to be read. */
export function hasKeyboard(): boolean {
  return !matchMedia('(pointer: coarse)').matches
}

export function composerField(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-testid=composer-input]')
}

export function focusComposer(): void {
  composerField()?.focus()
}

/** When what had the focus is gone from the page, and nothing else has it. */
export function isFocusLost(): boolean {
  const { activeElement } = document
  return activeElement === null || activeElement === document.body
}

/** Gives a lost focus to what stands in the place of what had it, as soon as that is drawn. */
export function restoreFocus(find: () => HTMLElement | null | undefined): void {
  requestAnimationFrame(() => {
    if (isFocusLost()) find()?.focus()
  })
}

/** Calls when the element leaves the page with the focus in it. */
export function useLeavingFocus(
  element: RefObject<HTMLElement | null>,
  onLeave: (leaving: HTMLElement) => void,
): void {
  const leave = useEffectEvent(onLeave)
  useLayoutEffect(() => {
    const leaving = element.current
    return () => {
      if (leaving?.contains(document.activeElement)) leave(leaving)
    }
  }, [element])
}
