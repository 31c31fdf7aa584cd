// Focus management: a keyboard user is never sent back to the beginning of the page.
import { useEffectEvent, useLayoutEffect } from 'react'
import type { RefObject } from 'react'

/** True while a menu or dialog is open and handles the keys. */
export function hasOpenLayer(): boolean {
  return document.querySelector('[role=menu], [role=dialog], dialog[open]') !== null
}

/** False on touch devices, where focusing a field would open the on-screen keyboard. */
export function hasKeyboard(): boolean {
  return !matchMedia('(pointer: coarse)').matches
}

const TAKES_KEYS = '[role=separator], input'

/**
 * Focuses a field that appears late, unless the person does something else by now. It is decided when the field is on the page: React
 * may have rendered it some hundred milliseconds before.
 */
export function useLateFocus(field: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    if (mayTakeFocus()) field.current?.focus()
  }, [field])
}

/**
 * A menu would close without the focus, an edge could not be moved by keys, and the rest of a word would be typed into another field.
 * A link has been used when it leads to this page; one that leads elsewhere has been chosen since.
 */
function mayTakeFocus(): boolean {
  const { activeElement } = document
  if (!hasKeyboard() || hasOpenLayer() || activeElement?.closest(TAKES_KEYS)) return false
  return (
    !(activeElement instanceof HTMLAnchorElement) || activeElement.pathname === location.pathname
  )
}

export function composerField(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-testid=composer-input]')
}

export function focusComposer(): void {
  composerField()?.focus()
}

/** Focuses the content of the panel, or its frame while the content is loading. */
export function focusPanel(): void {
  const panel = document.querySelector<HTMLElement>('.panel')
  const content = panel?.querySelector<HTMLElement>('[data-takes-keys], .xterm textarea')
  ;(content ?? panel)?.focus()
}

export function isInPanel(element: Element | null): boolean {
  return Boolean(element?.closest('.panel'))
}

/** Passes the focus on to the content when it appears in a panel that has the focus. */
export function usePanelFocus(content: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    if (document.activeElement?.matches('.panel'))
      content.current?.querySelector<HTMLElement>('[data-takes-keys]')?.focus()
  }, [content])
}

/** True when the focused element was removed and no other has the focus. */
export function isFocusLost(): boolean {
  const { activeElement } = document
  return activeElement === null || activeElement === document.body
}

/** Focuses an element after the next render, if the focus was lost. */
export function restoreFocus(find: () => HTMLElement | null | undefined): void {
  requestAnimationFrame(() => {
    if (isFocusLost()) find()?.focus()
  })
}

/** Calls `onLeave` when the element is removed while it contains the focus. */
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
