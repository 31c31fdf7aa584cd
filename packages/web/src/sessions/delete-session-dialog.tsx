// Asks for confirmation before a session is deleted, and names the work in its work tree that its base does not have.
import { useHub } from '@quayside/client/react'
import { escapeInvisible } from '@quayside/protocol'
import { useCallback } from 'react'
import { strings } from '../strings/strings.js'
import { ConfirmDialog } from '../shared/controls/dialog.js'
import { useLoaded } from '../shared/use-loaded.js'

type DeleteSessionDialogProps = {
  readonly sessionId: string
  readonly title: string
  readonly onDelete: () => void
  readonly onClose: () => void
}

export function DeleteSessionDialog(props: DeleteSessionDialogProps) {
  const { sessionId, title, onDelete, onClose } = props
  const unsaved = useUnsaved(sessionId)
  return (
    <ConfirmDialog
      title={strings.menu.deleteTitle(escapeInvisible(title))}
      text={[strings.menu.deleteText, unsaved].filter(Boolean).join(' ')}
      action={strings.menu.deleteAction}
      onConfirm={onDelete}
      onClose={onClose}
    />
  )
}

/** A sentence about the work that is kept as a reference. */
function useUnsaved(sessionId: string): string | undefined {
  const { http } = useHub()
  const load = useCallback(
    (signal: AbortSignal) =>
      http.call('GET /api/sessions/{sessionId}/workspace/unsaved', { sessionId }, { signal }),
    [http, sessionId],
  )
  const { value } = useLoaded(load)
  if (value?.keptAs === undefined) return undefined
  return strings.workspace.unsaved(value.files.length, value.commits, value.keptAs)
}
