// A modal dialog: the browser traps the focus, closes it with Escape, and restores the focus.
import { useId, useLayoutEffect, useRef } from 'react'
import type { MouseEvent, ReactNode } from 'react'
import { strings } from '../../strings/strings.js'
import { Icon } from './icon.js'

type ModalProps = {
  readonly label: { readonly 'aria-label': string } | { readonly 'aria-labelledby': string }
  readonly onClose: () => void
  readonly children: ReactNode
  readonly className?: string
}

/** A dialog without a title. */
export function Modal({ label, onClose, children, className = '' }: ModalProps) {
  const element = useRef<HTMLDialogElement>(null)

  // Closed before it is unmounted; afterwards it could not return the focus.
  useLayoutEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])

  function closeOnBackdrop(event: MouseEvent) {
    if (event.target === element.current) onClose()
  }

  return (
    <dialog
      ref={element}
      className={`dialog ${className}`}
      {...label}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onMouseDown={closeOnBackdrop}
    >
      <div className="dialog-box">{children}</div>
    </dialog>
  )
}

type DialogProps = Pick<ModalProps, 'onClose' | 'children' | 'className'> & {
  readonly title: string
}

export function Dialog({ title, children, ...modal }: DialogProps) {
  const titleId = useId()
  return (
    <Modal label={{ 'aria-labelledby': titleId }} {...modal}>
      <header className="dialog-head">
        <h2 id={titleId} className="dialog-title">
          {title}
        </h2>
        <button
          type="button"
          className="icon-button small"
          aria-label={strings.common.close}
          onClick={modal.onClose}
        >
          <Icon name="cross" />
        </button>
      </header>
      {children}
    </Modal>
  )
}

type ConfirmProps = {
  readonly title: string
  readonly text: string
  readonly action: string
  /** Highlights the action instead of warning about it. */
  readonly isHarmless?: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

export function ConfirmDialog(props: ConfirmProps) {
  const { title, text, action, isHarmless = false, onConfirm, onClose } = props
  return (
    <Dialog title={title} onClose={onClose}>
      <p className="dialog-text">{text}</p>
      <DialogActions onCancel={onClose}>
        <button
          type="button"
          className={`button ${isHarmless ? 'primary' : 'danger'}`}
          onClick={() => {
            onConfirm()
            onClose()
          }}
        >
          {action}
        </button>
      </DialogActions>
    </Dialog>
  )
}

type ActionsProps = { readonly onCancel: () => void; readonly children: ReactNode }

/** The buttons at the end of a dialog: the one that closes it, then those that act. */
export function DialogActions({ onCancel, children }: ActionsProps) {
  return (
    <div className="dialog-actions">
      <button type="button" className="button" onClick={onCancel}>
        {strings.common.cancel}
      </button>
      {children}
    </div>
  )
}
