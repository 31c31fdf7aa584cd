// Asks for confirmation before a session is deleted.
import { escapeInvisible } from '@quayside/protocol'
import { strings } from '../strings/strings.js'
import { ConfirmDialog } from '../shared/controls/dialog.js'

type DeleteSessionDialogProps = {
  readonly title: string
  readonly onDelete: () => void
  readonly onClose: () => void
}

export function DeleteSessionDialog({ title, onDelete, onClose }: DeleteSessionDialogProps) {
  return (
    <ConfirmDialog
      title={strings.menu.deleteTitle(escapeInvisible(title))}
      text={strings.menu.deleteText}
      action={strings.menu.deleteAction}
      onConfirm={onDelete}
      onClose={onClose}
    />
  )
}
