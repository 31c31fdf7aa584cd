// Creates a token. Its secret is shown once, because the hub stores only a hash.
import { Devices } from '@quayside/client/admin'
import { useHub } from '@quayside/client/react'
import type { CreatedToken } from '@quayside/protocol'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { CopyButton } from '../../shared/controls/copy-button.js'
import { problemOf } from '../../shared/problem.js'
import { type NamedScope, NamedScopeFields } from './named-scope.js'
import { settingsWords } from '../../strings/settings-words.js'

const words = settingsWords.access
const EMPTY: NamedScope = { name: '', scope: 'write' }

export function NewToken({ onMade }: { onMade: () => void }) {
  const client = useHub()
  const [input, setInput] = useState(EMPTY)
  const [made, setMade] = useState<CreatedToken>()
  const [problem, setProblem] = useState<string>()

  async function make(event: FormEvent) {
    event.preventDefault()
    setProblem(undefined)
    try {
      setMade(await new Devices(client).createToken({ ...input, name: input.name.trim() }))
      setInput(EMPTY)
      onMade()
    } catch (error) {
      setProblem(problemOf(error))
    }
  }

  if (made)
    return (
      <div className="form" role="status">
        <p className="note">{words.tokenOnce(made.name)}</p>
        <div className="command-row">
          <pre className="command" aria-label={words.token}>
            {made.token}
          </pre>
          <CopyButton text={made.token} />
        </div>
        <div className="dialog-actions start">
          <button type="button" className="button" onClick={() => setMade(undefined)}>
            {words.tokenKept}
          </button>
        </div>
      </div>
    )
  return (
    <form className="form" onSubmit={(event) => void make(event)}>
      <NamedScopeFields value={input} placeholder={words.tokenName} onChange={setInput} />
      <div className="dialog-actions start">
        <button className="button" disabled={input.name.trim() === ''}>
          {words.makeToken}
        </button>
      </div>
      <p className="problem" role="alert">
        {problem}
      </p>
    </form>
  )
}
