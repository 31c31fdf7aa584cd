// The dialog that adds a repository by its path, which can be typed or browsed.
import type { Repo } from '@quayside/protocol'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { Dialog } from '../shared/controls/dialog.js'
import { useHubObjects } from '../hub/hub-context.js'
import { Icon } from '../shared/controls/icon.js'
import { problemOf } from '../shared/problem.js'
import { SchemaField } from '../shared/controls/schema-field.js'
import { showToast } from '../shared/controls/toasts.js'
import { strings } from '../strings/strings.js'

const words = strings.addRepo
const FIELD = { id: 'path', type: 'path', label: words.path, browse: true } as const

type AddRepoDialogProps = {
  readonly onAdded?: (repo: Repo) => void
  readonly onClose: () => void
}

export function AddRepoDialog({ onAdded, onClose }: AddRepoDialogProps) {
  return (
    <Dialog title={words.title} onClose={onClose}>
      <p className="dialog-text">{words.text}</p>
      <AddRepoForm
        onAdded={(repo) => {
          onClose()
          showToast({ text: words.added(repo.name) })
          onAdded?.(repo)
        }}
      >
        <button type="button" className="button" onClick={onClose}>
          {strings.common.cancel}
        </button>
      </AddRepoForm>
    </Dialog>
  )
}

type AddRepoFormProps = {
  readonly onAdded?: (repo: Repo) => void
  /** Rendered beside the add button. */
  readonly children: ReactNode
}

export function AddRepoForm({ onAdded, children }: AddRepoFormProps) {
  const { lists } = useHubObjects()
  const [path, setPath] = useState('')
  const [isAdding, setAdding] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function add(event: FormEvent) {
    event.preventDefault()
    setAdding(true)
    setProblem(undefined)
    try {
      const repo = await lists.add(path.trim())
      onAdded?.(repo)
    } catch (error) {
      setProblem(problemOf(error))
      setAdding(false)
    }
  }

  return (
    <form className="form" onSubmit={(event) => void add(event)}>
      <SchemaField
        field={FIELD}
        value={path || undefined}
        onChange={(value) => {
          setPath(String(value ?? ''))
          setProblem(undefined)
        }}
      />
      <p className="problem" role="alert">
        {problem}
      </p>
      <div className="dialog-actions">
        {children}
        <button className="button primary" disabled={isAdding || path.trim() === ''}>
          {isAdding && <Icon name="spinner" size={14} />}
          {words.submit}
        </button>
      </div>
    </form>
  )
}
