// The dialog that adds a repository: by its path, which can be typed or browsed, or by an address that the hub clones.
import { ClientError } from '@quayside/client'
import type { Clone, Repo } from '@quayside/protocol'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { Dialog } from '../shared/controls/dialog.js'
import { useHubObjects, useMay } from '../hub/hub-context.js'
import { Icon } from '../shared/controls/icon.js'
import { problemOf } from '../shared/problem.js'
import { useArmed } from '../shared/use-armed.js'
import { SchemaField } from '../shared/controls/schema-field.js'
import { showToast } from '../shared/controls/toasts.js'
import { strings } from '../strings/strings.js'

const words = strings.addRepo
/** `https://host/path`, or `user@host:path`. */
const ADDRESS = /^[a-z+]+:\/\/|^[\w.-]+@[\w.-]+:/i
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
  const mayConfirm = useMay('admin')
  const [text, setText] = useState('')
  const [isAdding, setAdding] = useState(false)
  const [isOutside, setOutside] = useState(false)
  const [clone, setClone] = useState<Clone>()
  const [problem, setProblem] = useState<string>()
  // A double click on Add must not confirm.
  const isArmed = useArmed(String(isOutside))
  const isAddress = ADDRESS.test(text.trim())

  async function add(event: FormEvent) {
    event.preventDefault()
    if (isOutside && !isArmed) return
    setAdding(true)
    setProblem(undefined)
    const wanted = text.trim()
    try {
      const repo = await (isAddress ? lists.clone(wanted, show) : lists.add(wanted, isOutside))
      if (repo) onAdded?.(repo)
    } catch (error) {
      if (mayConfirm && !isAddress && !isOutside && isOutsideRoot(error)) setOutside(true)
      else setProblem(problemOf(error))
    }
    setAdding(false)
  }

  function show(state: Clone) {
    setClone(state.state === 'running' ? state : undefined)
    setProblem(state.problem)
  }

  return (
    <form className="form" onSubmit={(event) => void add(event)}>
      <SchemaField
        field={FIELD}
        value={text || undefined}
        onChange={(value) => {
          setText(String(value ?? ''))
          setOutside(false)
          setProblem(undefined)
        }}
      />
      {isOutside && (
        <p className="note" role="alert">
          {words.outside}
        </p>
      )}
      {clone && <CloneProgress clone={clone} onCancel={() => void lists.cancelClone(clone.id)} />}
      <p className="problem" role="alert">
        {problem}
      </p>
      <div className="dialog-actions">
        {!clone && children}
        <button
          className="button primary"
          disabled={isAdding || text.trim() === ''}
          aria-disabled={(isOutside && !isArmed) || undefined}
        >
          {isAdding && <Icon name="spinner" size={14} />}
          {isAddress ? words.clone : isOutside ? words.addAnyway : words.submit}
        </button>
      </div>
    </form>
  )
}

function CloneProgress({ clone, onCancel }: { clone: Clone; onCancel: () => void }) {
  const { phase = words.cloning, percent } = clone
  return (
    <div className="clone-progress">
      <label>
        {phase}
        <progress max={100} value={percent} />
      </label>
      <button type="button" className="button" onClick={onCancel}>
        {words.cancelClone}
      </button>
    </div>
  )
}

function isOutsideRoot(error: unknown): boolean {
  return error instanceof ClientError && error.code === 'path_outside_root'
}
