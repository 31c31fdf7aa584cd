// The settings of a repository for its new sessions: where they work, the files that they need, and the commands that prepare and check a
// work tree.
import { useHub } from '@quayside/client/react'
import type { Repo, RepoSettings } from '@quayside/protocol'
import { useState } from 'react'
import { useHubObjects } from '../hub/hub-context.js'
import { Dialog, DialogActions } from '../shared/controls/dialog.js'
import { problemOf } from '../shared/problem.js'
import { strings } from '../strings/strings.js'
import { settingsWords } from '../strings/settings-words.js'

const words = settingsWords.repositories

type Kind = NonNullable<RepoSettings['workspace']>
type RepoSettingsProps = { readonly repo: Repo; readonly onClose: () => void }

export function RepoSettingsDialog({ repo, onClose }: RepoSettingsProps) {
  const { http } = useHub()
  const { lists } = useHubObjects()
  const [workspace, setWorkspace] = useState<Kind | ''>(repo.settings?.workspace ?? '')
  const [include, setInclude] = useState(repo.settings?.include ?? '')
  const [setup, setSetup] = useState(repo.settings?.setup ?? '')
  const [check, setCheck] = useState(repo.settings?.check ?? '')
  const [problem, setProblem] = useState<string>()

  async function save() {
    const settings = {
      workspace: workspace === '' ? null : workspace,
      include: include.trim() === '' ? null : include,
      setup: setup.trim() || null,
      check: check.trim() || null,
    }
    try {
      await http.call('PATCH /api/repos/{repoId}', { repoId: repo.id, settings })
      await lists.refresh()
      onClose()
    } catch (error) {
      setProblem(problemOf(error))
    }
  }

  return (
    <Dialog title={words.settingsOf(repo.name)} onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <label className="form-row">
          <span className="form-label">{words.workspace}</span>
          <select
            className="field"
            value={workspace}
            onChange={({ target }) => setWorkspace(target.value as Kind | '')}
          >
            <option value="">{words.asHub}</option>
            <option value="shared">{strings.workspace.shared}</option>
            <option value="worktree">{words.ownWorkTree}</option>
          </select>
        </label>
        <label className="form-row">
          <span className="form-label">{words.include}</span>
          <textarea
            className="field mono"
            rows={3}
            spellCheck={false}
            value={include}
            onChange={({ target }) => setInclude(target.value)}
          />
          <span className="form-notes">{words.includeText}</span>
        </label>
        <Line label={words.setup} note={words.setupText} value={setup} onChange={setSetup} />
        <Line label={words.check} note={words.checkText} value={check} onChange={setCheck} />
        <p className="problem" role="alert">
          {problem}
        </p>
        <DialogActions onCancel={onClose}>
          <button className="button primary">{strings.common.save}</button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

type LineProps = {
  readonly label: string
  readonly note: string
  readonly value: string
  readonly onChange: (value: string) => void
}

function Line({ label, note, value, onChange }: LineProps) {
  return (
    <label className="form-row">
      <span className="form-label">{label}</span>
      <input
        className="field mono"
        spellCheck={false}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <span className="form-notes">{note}</span>
    </label>
  )
}
