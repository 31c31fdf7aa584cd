// Toasts: short confirmations with an optional undo. Errors are shown where they happened, not here.
import { useEffect } from 'react'
import { strings } from '../../strings/strings.js'
import { Icon } from './icon.js'
import { Store, useStore } from '../store.js'

export type Toast = {
  readonly text: string
  readonly action?: { readonly label: string; readonly run: () => void }
  /** Stays until it is closed. */
  readonly isKept?: boolean
  /** Replaces an earlier toast about the same thing. */
  readonly about?: string
}

type Shown = Toast & { readonly id: number }

const MAX_SHOWN = 3
const SHOWN_MS = 6_000

const shown = new Store<readonly Shown[]>([])
let lastId = 0

export function showToast(toast: Toast): void {
  const { about } = toast
  const others = shown.get().filter((other) => about === undefined || other.about !== about)
  const kept = others.filter(({ isKept }) => isKept)
  const passing = others.filter(({ isKept }) => !isKept).slice(-(MAX_SHOWN - 1 - kept.length))
  shown.set([...kept, ...passing, { ...toast, id: ++lastId }])
}

function dismiss(id: number): void {
  shown.set(shown.get().filter((toast) => toast.id !== id))
}

export function Toasts() {
  const toasts = useStore(shown)
  return (
    <div className="toasts" role="status">
      {toasts.map((toast) => (
        <ToastRow key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

function ToastRow({ toast: { id, text, action, isKept = false } }: { toast: Shown }) {
  useEffect(() => {
    if (isKept) return undefined
    const timer = setTimeout(() => dismiss(id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [id, isKept])

  return (
    <div className="toast">
      <span dir="auto">{text}</span>
      {action && (
        <button
          type="button"
          className="quiet-button strong"
          onClick={() => {
            action.run()
            dismiss(id)
          }}
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        className="icon-button small"
        aria-label={strings.common.close}
        onClick={() => dismiss(id)}
      >
        <Icon name="cross" size={14} />
      </button>
    </div>
  )
}
