// Keys that a terminal needs and a phone's keyboard lacks.
import { useState } from 'react'
import type { PointerEvent } from 'react'
import { strings } from '../../strings/strings.js'
import type { Arrow, TerminalScreen } from './terminal-screen.js'

const words = strings.panels

type HelperKeysProps = {
  readonly screen: TerminalScreen
  readonly onType: (data: string) => void
}

const ARROWS: readonly (readonly [Arrow, string])[] = [
  ['left', '←'],
  ['up', '↑'],
  ['down', '↓'],
  ['right', '→'],
]

export function HelperKeys({ screen, onType }: HelperKeysProps) {
  const [isHeld, setHeld] = useState(false)

  function hold() {
    screen.holdControl(!isHeld)
    setHeld(!isHeld)
  }

  return (
    <div className="helper-keys" role="toolbar" aria-label={words.helperKeys}>
      <button onPointerDown={keepKeyboard} onClick={() => onType('\u001B')}>
        {words.keys.escape}
      </button>
      <button onPointerDown={keepKeyboard} onClick={() => onType('\t')}>
        {words.keys.tab}
      </button>
      <button onPointerDown={keepKeyboard} aria-pressed={isHeld} onClick={hold}>
        {words.keys.control}
      </button>
      {ARROWS.map(([arrow, sign]) => (
        <button
          key={arrow}
          aria-label={words.keys[arrow]}
          onPointerDown={keepKeyboard}
          onClick={() => onType(screen.arrow(arrow))}
        >
          {sign}
        </button>
      ))}
    </div>
  )
}

/** Prevents the button from taking the focus, which would close the phone's keyboard. */
function keepKeyboard(event: PointerEvent) {
  event.preventDefault()
}
