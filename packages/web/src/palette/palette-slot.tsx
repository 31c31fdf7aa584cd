// Where the command palette opens. It is loaded when the page has nothing else to do; until it is there, a plain field takes
// what is typed, so that none of it ends up in a message.
import { lazy, Suspense, useEffect, useState } from 'react'
import { Modal } from '../shared/dialog.js'
import { strings } from '../strings.js'
import type { PaletteProps } from './palette.js'

const AFTER_START_MS = 2_000

const words = strings.palette
const load = () => import('./palette.js')
const Palette = lazy(async () => ({ default: (await load()).Palette }))

/** Without a network it is loaded when it is asked for. */
export function usePaletteSoon(): void {
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => {}), AFTER_START_MS)
    return () => clearTimeout(timer)
  }, [])
}

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
