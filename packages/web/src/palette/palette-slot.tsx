// The slot of the command palette, which is loaded when it first opens. Until then a plain field takes the typed text,
// so that it does not end up in a message.
import { lazy, Suspense, useState } from 'react'
import { Modal } from '../shared/controls/dialog.js'
import { strings } from '../strings/strings.js'
import type { PaletteProps } from './palette.js'

const words = strings.palette
const Palette = lazy(async () => ({ default: (await import('./palette.js')).Palette }))

export function PaletteSlot(props: Omit<PaletteProps, 'typed' | 'onType'>) {
  const [typed, setTyped] = useState('')
  const field = (
    <div className="palette-search">
      <input
        className="palette-input"
        aria-label={words.label}
        placeholder={words.placeholder}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        autoFocus
      />
    </div>
  )
  return (
    <Modal label={{ 'aria-label': words.label }} className="palette" onClose={props.onClose}>
      <Suspense fallback={field}>
        <Palette {...props} typed={typed} onType={setTyped} />
      </Suspense>
    </Modal>
  )
}
