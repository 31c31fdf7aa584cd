// What someone sees who is not signed in: where the address with the code is, and a field for the code.
import { useState } from 'react'
import type { FormEvent } from 'react'
import { useHub } from '../shared/hub-context.js'
import { Logo } from '../shared/logo.js'
import { useTitle } from '../shared/use-title.js'

export function SignIn({ problem }: { problem: string | undefined }) {
  useTitle('Sign in · Quayside')
  const { access } = useHub()
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
    <main className="sign-in">
      <div className="sign-in-column">
        <Logo size="large" />
        <h1 className="display">Sign in to Quayside</h1>
        <p className="lead">
          Open the address that <code>quayside start</code> printed in your terminal. It carries a
          code that signs this browser in.
        </p>
        <pre className="command">http://127.0.0.1:4444/#code=…</pre>
        <form className="sign-in-form" onSubmit={(event) => void submit(event)}>
          <label htmlFor="code">Or paste the address or its code here</label>
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
              Sign in
            </button>
          </div>
          <p id="code-problem" className="problem" role="alert">
            {problem}
          </p>
        </form>
      </div>
    </main>
  )
}
