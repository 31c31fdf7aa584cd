// What a person prefers in this browser: looks, notifications, and how sessions are shown. One record in localStorage.
import type { Language } from './text/language.js'
import { Store, useStore } from './store.js'

export type Theme = 'system' | 'light' | 'dark'
export type Density = 'comfortable' | 'compact'
export type Font = 'own' | 'system'
/** `system`: the first language of the browser that the page has. */
export type LanguageChoice = 'system' | Language
/** `open`: while they come; afterwards they are one line in any case. */
export type Thoughts = 'open' | 'folded' | 'hidden'
/** `auto`: side by side where there is room. */
export type DiffView = 'auto' | 'split' | 'unified'

export type Preferences = {
  readonly theme: Theme
  readonly density: Density
  readonly font: Font
  /** Counts from the next load of the page; public/looks.js reads it. */
  readonly language: LanguageChoice
  readonly isSideHidden: boolean
  /** The side panel takes the place of the conversation. */
  readonly isPanelWide: boolean
  /** How many lines of a command's output a card shows. */
  readonly commandOutputLines: number
  readonly renderMarkdown: boolean
  readonly useXterm: boolean
  readonly syntaxHighlighting: boolean
  readonly semanticShellRibbon: boolean
  readonly thoughts: Thoughts
  readonly diffView: DiffView
  readonly wrapDiffs: boolean
  /** Enter makes a new line, and Mod+Enter sends. */
  readonly enterStartsLine: boolean
  /** Keys that do something without Ctrl or the like: digits for decisions, / and ?. */
  readonly singleKeys: boolean
  /** Whether this device notifies at all, then of what. */
  readonly notify: boolean
  readonly notifyNeedsYou: boolean
  readonly notifyFinished: boolean
  readonly notifyFailed: boolean
  readonly notifySound: boolean
  /** Someone who said "not now" is not asked again. */
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
    // A browser that keeps nothing still follows the preference until it is closed.
  }
  show(preferences)
}

/** Another tab of this browser changed them. Call once. */
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

/** Only values of the right kind count: what is stored may be from another version, or broken. */
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
