// The draft of a pull request for a branch that was just pushed. A person reads and changes it before it is opened.
import type { WorkspaceAction, WorkspaceResult } from '@quayside/protocol'
import { useState } from 'react'
import { strings } from '../../strings/strings.js'

const words = strings.workspace

type PullRequestFormProps = {
  readonly draft: NonNullable<WorkspaceResult['pullRequest']>
  readonly remote: string | undefined
  readonly onRun: (action: WorkspaceAction) => void
}

export function PullRequestForm({ draft, remote, onRun }: PullRequestFormProps) {
  const [title, setTitle] = useState(draft.title)
  const [body, setBody] = useState(draft.body)
  const to = remote === undefined ? {} : { remote }
  return (
    <form
      className="form"
      aria-label={words.pullRequest}
      onSubmit={(event) => {
        event.preventDefault()
        onRun({ action: 'pullRequest', title: title.trim(), body, ...to })
      }}
    >
      <h3 className="form-title">{words.pullRequest}</h3>
      <label className="form-row">
        <span className="form-label">{words.pullRequestTitle}</span>
        <input
          className="field"
          dir="auto"
          value={title}
          onChange={({ target }) => setTitle(target.value)}
        />
      </label>
      <label className="form-row">
        <span className="form-label">{words.pullRequestBody}</span>
        <textarea
          className="field"
          rows={5}
          dir="auto"
          value={body}
          onChange={({ target }) => setBody(target.value)}
        />
      </label>
      <p className="form-notes">{words.pullRequestText}</p>
      <div className="dialog-actions">
        <button className="button primary" disabled={title.trim() === ''}>
          {words.pullRequestAction}
        </button>
      </div>
    </form>
  )
}
