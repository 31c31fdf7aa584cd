// The choice when someone has changed files of a turn since: restore the other files, or all.
import { DialogActions } from '../../shared/controls/dialog.js'
import { undoWords as words } from '../../strings/undo-words.js'
import { FileNames } from '../cards/file-names.js'
import type { Force } from './use-restore.js'

type ChangedSinceProps = {
  readonly paths: readonly string[]
  readonly onForce: (force: Force) => void
  readonly onClose: () => void
}

export function ChangedSince({ paths, onForce, onClose }: ChangedSinceProps) {
  return (
    <>
      <p className="dialog-text" role="alert">
        {words.changedSince}
      </p>
      <FileNames label={words.changedFiles} paths={paths} />
      <DialogActions onCancel={onClose}>
        <button type="button" className="button danger" onClick={() => onForce('all')}>
          {words.restoreAll}
        </button>
        {/* The focused button of the step before is gone. */}
        <button
          type="button"
          className="button primary"
          autoFocus
          onClick={() => onForce('others')}
        >
          {words.restoreOthers}
        </button>
      </DialogActions>
    </>
  )
}
