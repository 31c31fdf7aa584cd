// The sign-in page: where to find the link with the code, and a field for the code.
import { useState } from 'react'
import type { FormEvent } from 'react'
import { CopyButton } from '../shared/controls/copy-button.js'
import { useCliCommand } from '../hub/cli-command.js'
import { useHubObjects } from '../hub/hub-context.js'
import { useTitle } from '../shared/use-title.js'
import { strings } from '../strings/strings.js'
import { EntryColumn } from './entry-column.js'

const words = strings.signIn

export function SignIn({ problem }: { problem: string | undefined }) {
  useTitle(words.pageTitle)
  const { access } = useHubObjects()
  const pair = `${useCliCommand()} pair`
  const [code, setCode] = useState('')
  const [isSending, setSending] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (code.trim() === '') return
    setSending(true)
    await access.signIn(code)
    setSending(false)
  }

  return (
    <EntryColumn title={words.title} text={words.text}>
      <p className="lead">{words.again}</p>
      <div className="command-row">
        <pre className="command">{pair}</pre>
        <CopyButton text={pair} />
      </div>
      <form className="sign-in-form" onSubmit={(event) => void submit(event)}>
        <label htmlFor="code">{words.label}</label>
        <div className="sign-in-row">
          <input
            id="code"
            className="field mono"
            value={code}
            onChange={(event) => setCode(event.target.value)}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            aria-describedby={problem ? 'code-problem' : undefined}
            aria-invalid={problem !== undefined}
          />
          <button className="button primary" disabled={isSending || code.trim() === ''}>
            {words.action}
          </button>
        </div>
        <p id="code-problem" className="problem" role="alert">
          {problem}
        </p>
      </form>
    </EntryColumn>
  )
}
