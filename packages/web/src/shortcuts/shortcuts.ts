// The shortcuts of the shell, and how they are written on this kind of keyboard.
import { preferences } from '../shared/preferences.js'
import { strings } from '../strings/strings.js'

const words = strings.shortcuts
const names = strings.keyboard.keys

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)
const MOD = isApple ? '⌘' : names.control
const SHIFT = isApple ? '⇧' : names.shift
const ALT = isApple ? '⌥' : 'Alt'

type Shortcut = { readonly keys: readonly string[]; readonly label: string }

export const KEYS = {
  palette: [MOD, 'K'],
  newSession: [MOD, SHIFT, 'O'],
  sidebar: [MOD, 'B'],
  help: ['?'],
} as const

export const SHORTCUTS: Readonly<
  Record<keyof typeof strings.keyboard.groups, readonly Shortcut[]>
> = {
  anywhere: [
    { keys: KEYS.palette, label: words.palette },
    { keys: KEYS.newSession, label: words.newSession },
    { keys: [ALT, '↓'], label: words.nextSession },
    { keys: [ALT, '↑'], label: words.previousSession },
    { keys: [ALT, 'N'], label: words.needsYou },
    { keys: KEYS.sidebar, label: words.sidebar },
    { keys: ['/'], label: words.composer },
    { keys: KEYS.help, label: words.help },
  ],
  row: [
    { keys: ['F2'], label: words.rename },
    { keys: ['E'], label: words.archive },
    { keys: [names.delete], label: words.delete },
  ],
  session: [
    { keys: ['Enter'], label: words.send },
    { keys: [SHIFT, 'Enter'], label: words.newline },
    { keys: [MOD, 'Enter'], label: words.sendNow },
    { keys: ['Esc', 'Esc'], label: words.stop },
    { keys: ['↑', '↓'], label: words.history },
    { keys: ['1', '…', '9'], label: words.decide },
    { keys: [ALT, 'D'], label: words.decision },
    { keys: [MOD, SHIFT, 'M'], label: words.options },
    { keys: [MOD, '↑'], label: words.previousPrompt },
    { keys: [MOD, '↓'], label: words.nextPrompt },
    { keys: ['End'], label: words.latest },
    { keys: [MOD, 'F'], label: words.find },
    { keys: [MOD, 'J'], label: words.panel },
    { keys: [MOD, SHIFT, 'D'], label: strings.panels.tabs.changes },
    { keys: [MOD, SHIFT, 'E'], label: strings.panels.tabs.terminals },
  ],
  changes: [
    { keys: ['J', 'K'], label: words.lines },
    { keys: ['N', 'P'], label: words.files },
    { keys: ['V'], label: words.viewed },
    { keys: ['C'], label: words.comment },
  ],
}

export type ShellAction =
  | 'palette'
  | 'newSession'
  | 'nextSession'
  | 'previousSession'
  | 'needsYou'
  | 'sidebar'
  | 'composer'
  | 'help'

/** The action of a key press; undefined while typing, unless a modifier is pressed. */
export function actionOf(event: KeyboardEvent): ShellAction | undefined {
  if (event.isComposing) return undefined
  const mod = isApple ? event.metaKey : event.ctrlKey
  const other = isApple ? event.ctrlKey : event.metaKey
  if (other) return undefined
  if (mod && !event.altKey) return modAction(event)
  if (event.altKey && !event.shiftKey) return altAction(event)
  if (isTyping(event.target) || !preferences().singleKeys) return undefined
  return ({ '/': 'composer', '?': 'help' } as const)[event.key]
}

function modAction({ key, shiftKey }: KeyboardEvent): ShellAction | undefined {
  const pressed = key.toLowerCase()
  if (shiftKey) return pressed === 'o' ? 'newSession' : undefined
  return ({ k: 'palette', b: 'sidebar' } as const)[pressed]
}

/** By the physical key: with Alt some keyboards type other letters. */
function altAction({ code }: KeyboardEvent): ShellAction | undefined {
  return ({ ArrowDown: 'nextSession', ArrowUp: 'previousSession', KeyN: 'needsYou' } as const)[code]
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches('input, textarea, select, .xterm *')
}
