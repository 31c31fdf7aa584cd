// The dialog for the name of the branch that a work tree begins from.
import { useState } from 'react'
import type { FormEvent } from 'react'
import { Dialog, DialogActions } from '../shared/controls/dialog.js'
import { strings } from '../strings/strings.js'
import type { Place } from './use-new-session.js'

const words = strings.workspace

type BranchDialogProps = {
  readonly onChoose: (place: Place) => void
  readonly onClose: () => void
}

export function BranchDialog({ onChoose, onClose }: BranchDialogProps) {
  const [name, setName] = useState('')
  const base = name.trim()

  function choose(event: FormEvent) {
    event.preventDefault()
    onChoose({ workspace: 'worktree', base })
    onClose()
  }

  return (
    <Dialog title={words.branchTitle} onClose={onClose}>
      <p className="dialog-text">{words.branchText}</p>
      <form className="form" onSubmit={choose}>
        <label className="form-row">
          <span className="form-label">{words.branchName}</span>
          <input
            className="field mono"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </label>
        <DialogActions onCancel={onClose}>
          <button className="button primary" disabled={base === ''}>
            {words.choose}
          </button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
