// The button that undoes a turn. Its dialog, which shows the changes first, is loaded when the button is pressed.
import { useSession } from '@quayside/client/react'
import { useRef, useState } from 'react'
import {
  composerField,
  hasKeyboard,
  restoreFocus,
  useLeavingFocus,
} from '../../shared/page-focus.js'
import { undoWords as words } from '../../strings/undo-words.js'
import { useSessionContext } from '../context/session-context.js'
import { redoButton } from './turn-restored.js'
import { inOwnScript } from '../../shared/controls/trouble.js'

const UndoDialog = inOwnScript(async () => (await import('./undo-dialog.js')).UndoDialog)

export function UndoTurn({ turnId }: { readonly turnId: string }) {
  const { sessionId } = useSessionContext()
  const { turnId: running } = useSession(sessionId)
  const [isOpen, setOpen] = useState(false)
  const element = useRef<HTMLSpanElement>(null)
  const isBusy = running !== undefined
  // An undo removes this button, so the focus moves on.
  useLeavingFocus(element, () =>
    restoreFocus(() => redoButton() ?? (hasKeyboard() ? composerField() : null)),
  )
  return (
    <span ref={element}>
      <button
        type="button"
        className="quiet-button"
        disabled={isBusy}
        title={isBusy ? words.afterTurn : undefined}
        onClick={() => setOpen(true)}
      >
        {words.undoTurn}
      </button>
      {isOpen && <UndoDialog turnId={turnId} onClose={() => setOpen(false)} />}
    </span>
  )
}
