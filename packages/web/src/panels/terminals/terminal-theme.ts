// The terminal colours: background and text are the app's tokens, the 16 ANSI colours are chosen for each theme.
import type { ITheme } from '@xterm/xterm'
import { ANSI_NAMES } from '../../shared/text/ansi-names.js'

// In the order of ANSI_NAMES.
const LIGHT = [
  '#1a1a18 #b3261e #1c7038 #8a5200 #1763b8 #8b3a9b #0f6b75 #5f5f58',
  '#4b4b46 #c9372e #2a8549 #9c6510 #2b76cc #a04fb0 #1c7f8a #76766e',
]
const DARK = [
  '#76766e #ff8f85 #72cb8e #f2b654 #74b4f5 #d9a0e6 #6fcad4 #bdbdb5',
  '#96968d #ffaaa2 #93dcaa #f7ca80 #98c8f8 #e5bbef #94dae1 #edede8',
]

export function terminalTheme(): ITheme {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string) => style.getPropertyValue(name).trim()
  const isDark = style.colorScheme === 'dark'
  const colours = (isDark ? DARK : LIGHT).flatMap((line) => line.split(' '))
  return {
    ...Object.fromEntries(ANSI_NAMES.map((name, at) => [name, colours[at]])),
    background: token('--sunken'),
    foreground: token('--ink'),
    cursor: token('--ink'),
    cursorAccent: token('--sunken'),
    selectionBackground: token('--accent-soft'),
    selectionForeground: token('--ink'),
  }
}

/** Calls `listener` when the app's colours change, until the returned function is called. */
export function onThemeChange(listener: () => void): () => void {
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  const observer = new MutationObserver(listener)
  scheme.addEventListener('change', listener)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => {
    scheme.removeEventListener('change', listener)
    observer.disconnect()
  }
}
