// The form of each step: the message of a commit, the way into a branch, the remote of a push, the warning of a discard.
import type { Workspace, WorkspaceAction } from '@quayside/protocol'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { DialogActions } from '../../shared/controls/dialog.js'
import { Icon } from '../../shared/controls/icon.js'
import { strings } from '../../strings/strings.js'
import { useCommitDraft } from './use-commit-draft.js'

const words = strings.workspace

export type Step = 'commit' | 'bringIn' | 'push' | 'discard'
type Way = keyof typeof words.ways

const ACTIONS: Readonly<Record<Step, string>> = {
  commit: words.commitAction,
  bringIn: words.bringInAction,
  push: words.pushAction,
  discard: words.discardAction,
}

type WorkspaceFormProps = {
  readonly step: Step
  readonly sessionId: string
  readonly workspace: Workspace
  readonly isSending: boolean
  readonly problem: string | undefined
  readonly onRun: (action: WorkspaceAction) => void
  readonly onClose: () => void
}

export function WorkspaceForm(props: WorkspaceFormProps) {
  const { step, sessionId, workspace, isSending, problem, onRun, onClose } = props
  const draft = useCommitDraft(sessionId, step)
  const [written, setText] = useState<string>()
  const text = written ?? draft ?? ''
  const [into, setInto] = useState(workspace.base ?? '')
  const [remote, setRemote] = useState('origin')
  const [way, setWay] = useState<Way>('merge')
  const message = text.trim() === '' ? {} : { message: text.trim() }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (step === 'bringIn') onRun({ action: way, into: into.trim(), ...message })
    else if (step === 'commit') onRun({ action: step, ...message })
    else if (step === 'push') onRun({ action: step, remote: remote.trim() })
    else onRun({ action: step })
  }

  const isIncomplete =
    (step === 'bringIn' && into.trim() === '') || (step === 'push' && remote.trim() === '')
  return (
    <form className="form" onSubmit={submit}>
      {step === 'discard' && (
        <p className="dialog-text">{words.discardText(workspace.branch ?? '')}</p>
      )}
      {step === 'bringIn' && (
        <>
          <Name label={words.into} value={into} onChange={setInto} />
          <Ways value={way} onChange={setWay} />
        </>
      )}
      {(step === 'commit' || (step === 'bringIn' && way !== 'rebase')) && (
        <Field label={words.message}>
          <textarea
            className="field"
            rows={5}
            dir="auto"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </Field>
      )}
      {step === 'push' && <Name label={words.remote} value={remote} onChange={setRemote} />}
      {step === 'commit' && <p className="form-notes">{words.commitText}</p>}
      <p className="problem workspace-problem" role="alert">
        {problem}
      </p>
      <DialogActions onCancel={onClose}>
        <button
          className={`button ${step === 'discard' ? 'danger' : 'primary'}`}
          disabled={isSending || isIncomplete}
        >
          {isSending && <Icon name="spinner" size={14} />}
          {isSending ? words.working : ACTIONS[step]}
        </button>
      </DialogActions>
    </form>
  )
}

function Field({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <label className="form-row">
      <span className="form-label">{label}</span>
      {children}
    </label>
  )
}

type NameProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

function Name({ label, value, onChange }: NameProps) {
  return (
    <Field label={label}>
      <input
        className="field mono"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  )
}

type WaysProps = { readonly value: Way; readonly onChange: (way: Way) => void }

function Ways({ value, onChange }: WaysProps) {
  return (
    <fieldset className="segments">
      <legend className="form-label">{words.how}</legend>
      <div className="segments-row">
        {(Object.keys(words.ways) as Way[]).map((way) => (
          <label key={way} className="segment">
            <input type="radio" name="way" checked={way === value} onChange={() => onChange(way)} />
            {words.ways[way].name}
          </label>
        ))}
      </div>
      <p className="form-notes">{words.ways[value].text}</p>
    </fieldset>
  )
}
