// The slot of the command palette, which is loaded when it first opens. Until then a plain field takes the typed text,
// so that it does not end up in a message.
import { useState } from 'react'
import { Modal } from '../shared/controls/dialog.js'
import { inOwnScript } from '../shared/controls/trouble.js'
import { strings } from '../strings/strings.js'
import type { PaletteProps } from './palette.js'

const words = strings.palette
const Palette = inOwnScript(async () => (await import('./palette.js')).Palette, PlainField)

export function PaletteSlot(props: Omit<PaletteProps, 'typed' | 'onType'>) {
  const [typed, setTyped] = useState('')
  return (
    <Modal label={{ 'aria-label': words.label }} className="palette" onClose={props.onClose}>
      <Palette {...props} typed={typed} onType={setTyped} />
    </Modal>
  )
}

function PlainField({ typed, onType }: PaletteProps) {
  return (
    <div className="palette-search">
      <input
        className="palette-input"
        aria-label={words.label}
        placeholder={words.placeholder}
        value={typed}
        onChange={({ target }) => onType(target.value)}
        autoFocus
      />
    </div>
  )
}
