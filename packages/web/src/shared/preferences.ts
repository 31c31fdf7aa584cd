// The preferences of this browser: appearance, notifications, display of sessions. One record in localStorage.
import type { Language } from './text/language.js'
import { Store, useStore } from './store.js'

export type Theme = 'system' | 'light' | 'dark'
export type Density = 'comfortable' | 'compact'
export type Font = 'own' | 'system'
/** `system`: the first language of the browser that the page supports. */
export type LanguageChoice = 'system' | Language
/** `open` shows a thought while it streams; afterwards it is always folded. */
export type Thoughts = 'open' | 'folded' | 'hidden'
/** `auto`: two columns where there is room. */
export type DiffView = 'auto' | 'split' | 'unified'

export type Preferences = {
  readonly theme: Theme
  readonly density: Density
  readonly font: Font
  /** Applies at the next load of the page; public/looks.js reads it. */
  readonly language: LanguageChoice
  readonly isSideHidden: boolean
  /** The side panel replaces the conversation. */
  readonly isPanelWide: boolean
  /** The number of output lines that a card shows. */
  readonly commandOutputLines: number
  readonly renderMarkdown: boolean
  readonly useXterm: boolean
  readonly syntaxHighlighting: boolean
  readonly semanticShellRibbon: boolean
  readonly thoughts: Thoughts
  readonly diffView: DiffView
  readonly wrapDiffs: boolean
  /** Enter starts a new line, and Mod+Enter sends. */
  readonly enterStartsLine: boolean
  /** Shortcuts without a modifier: digits for decisions, / and ?. */
  readonly singleKeys: boolean
  /** Turns notifications on for this device; the switches below choose the kinds. */
  readonly notify: boolean
  readonly notifyNeedsYou: boolean
  readonly notifyFinished: boolean
  readonly notifyFailed: boolean
  readonly notifySound: boolean
  /** Set after "not now", so that the offer is not repeated. */
  readonly wasOfferedNotifications: boolean
  readonly isWelcomed: boolean
}

const KEY = 'quayside.preferences'

const DEFAULTS: Preferences = {
  theme: 'system',
  density: 'comfortable',
  font: 'own',
  language: 'system',
  isSideHidden: false,
  isPanelWide: false,
  commandOutputLines: 20,
  renderMarkdown: true,
  useXterm: true,
  syntaxHighlighting: true,
  semanticShellRibbon: false,
  thoughts: 'open',
  diffView: 'auto',
  wrapDiffs: true,
  enterStartsLine: false,
  singleKeys: true,
  notify: false,
  notifyNeedsYou: true,
  notifyFinished: true,
  notifyFailed: true,
  notifySound: false,
  wasOfferedNotifications: false,
  isWelcomed: false,
}

const store = new Store(read())
applyLooks(store.get())

export function usePreferences(): Preferences {
  return useStore(store)
}

export function preferences(): Preferences {
  return store.get()
}

export function prefer(changes: Partial<Preferences>): void {
  const preferences = { ...store.get(), ...changes }
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences))
  } catch {
    // Without storage the preference lasts until the page closes.
  }
  show(preferences)
}

/** Follows changes of other tabs. Call once. */
export function followOtherTabs(): void {
  addEventListener('storage', ({ key }) => {
    if (key === KEY || key === null) show(read())
  })
}

function show(preferences: Preferences): void {
  store.set(preferences)
  applyLooks(preferences)
}

/** public/looks.js does the same before the first paint. */
function applyLooks({ theme, density, font }: Preferences): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset['theme']
  else dataset['theme'] = theme
  dataset['density'] = density
  dataset['font'] = font
}

/** Ignores values of the wrong type, which another version may have stored. */
function read(): Preferences {
  const kept = parse(localStorage.getItem(KEY))
  const fitting = Object.entries(kept).filter(
    ([name, value]) =>
      name in DEFAULTS && typeof value === typeof DEFAULTS[name as keyof Preferences],
  )
  return { ...DEFAULTS, ...Object.fromEntries(fitting) }
}

function parse(text: string | null): object {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
