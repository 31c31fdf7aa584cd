// Shows the changes of a turn, and undoes them.
import type { SessionChanges } from '@quayside/client'
import { useHub } from '@quayside/client/react'
import { useCallback } from 'react'
import { Dialog, DialogActions } from '../../shared/controls/dialog.js'
import { showToast } from '../../shared/controls/toasts.js'
import { useLoaded } from '../../shared/use-loaded.js'
import { strings } from '../../strings/strings.js'
import { undoWords as words } from '../../strings/undo-words.js'
import { ChangedFile } from '../cards/changed-file.js'
import { useSessionContext } from '../context/session-context.js'
import { ChangedSince } from './changed-since.js'
import { useRestore } from './use-restore.js'

/** The diffs of further files are folded. */
const OPEN_FILES = 10

type UndoDialogProps = { readonly turnId: string; readonly onClose: () => void }

export function UndoDialog({ turnId, onClose }: UndoDialogProps) {
  const { sessionId } = useSessionContext()
  const { http } = useHub()
  const load = useCallback(
    (signal: AbortSignal) =>
      http.call('GET /api/sessions/{sessionId}/changes', { sessionId, turnId }, { signal }),
    [http, sessionId, turnId],
  )
  const { value, problem } = useLoaded(load)
  const { state, run } = useRestore(
    (force) => http.call('POST /api/sessions/{sessionId}/undo', { sessionId, turnId, ...force }),
    ({ paths }) => {
      const text = paths.length === 0 ? words.nothingToDo : words.undone(paths.length, undefined)
      showToast({ text })
      onClose()
    },
  )
  if (state.is === 'changed')
    return (
      <Dialog title={words.undoTurn} onClose={onClose}>
        <ChangedSince paths={state.paths} onForce={run} onClose={onClose} />
      </Dialog>
    )
  const refusal = state.is === 'ready' ? state.problem : undefined
  return (
    <Dialog title={words.undoTurn} className="wide" onClose={onClose}>
      {value && <Changes changes={value} />}
      {!value && !problem && (
        <p className="muted" role="status">
          {strings.common.loading}
        </p>
      )}
      <p className="problem" role="alert">
        {refusal ?? problem}
      </p>
      <DialogActions onCancel={onClose}>
        <button
          type="button"
          className="button primary"
          disabled={value?.is !== 'known' || value.total === 0 || state.is === 'sending'}
          onClick={() => run()}
        >
          {words.undo}
        </button>
      </DialogActions>
    </Dialog>
  )
}

function Changes({ changes }: { readonly changes: SessionChanges }) {
  if (changes.is !== 'known') return <p className="dialog-text">{strings.panels.turnGone}</p>
  const { files, total, isTruncated } = changes
  if (total === 0) return <p className="dialog-text">{words.noFiles}</p>
  return (
    <>
      <p className="dialog-text">{words.about}</p>
      <div className="undo-files" {...GROUP}>
        {files.map((file, at) => (
          <ChangedFile key={file.path} file={file} isOpen={at < OPEN_FILES} />
        ))}
        {isTruncated && (
          <p className="output-note">{strings.panels.listCut(files.length, total)}</p>
        )}
      </div>
    </>
  )
}

const GROUP = { tabIndex: 0, role: 'group', 'aria-label': words.changes }
