// The sign-in page: where to find the link with the code, and a field for the code.
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { CopyButton } from '../shared/controls/copy-button.js'
import { useHubObjects } from '../hub/hub-context.js'
import { Icon } from '../shared/controls/icon.js'
import { Logo } from '../shared/controls/logo.js'
import { useTitle } from '../shared/use-title.js'
import { strings } from '../strings/strings.js'

const START = 'quayside start'
const PAIR = 'quayside pair'
const words = strings.signIn

export function SignIn({ problem }: { problem: string | undefined }) {
  useTitle(words.pageTitle)
  const { access } = useHubObjects()
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
    <Column title={words.title} text={words.text}>
      <p className="lead">{words.again}</p>
      <div className="command-row">
        <pre className="command">{PAIR}</pre>
        <CopyButton text={PAIR} />
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
    </Column>
  )
}

/** Shown while the hub does not answer; access.ts retries. */
export function Unreachable() {
  useTitle(strings.appName)
  return (
    <Column title={words.unreachable} text={words.unreachableText}>
      <p className="waiting" role="status">
        <Icon name="spinner" size={14} />
        {strings.frame.connecting}
      </p>
    </Column>
  )
}

type ColumnProps = { readonly title: string; readonly text: string; readonly children: ReactNode }

function Column({ title, text, children }: ColumnProps) {
  return (
    <main className="sign-in">
      <div className="sign-in-column">
        <Logo size="large" />
        <h1 className="display">{title}</h1>
        <p className="lead">{text}</p>
        <pre className="command">{START}</pre>
        {children}
      </div>
    </main>
  )
}
