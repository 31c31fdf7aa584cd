// Who is signed in here, and how another device gets in.
import { useState } from 'react'
import { CopyButton } from '../shared/copy-button.js'
import { useAccess, useHub } from '../shared/hub-context.js'
import { problemOf } from '../shared/problem.js'
import { strings } from '../strings.js'
import { SettingsSection } from './settings-section.js'

const words = strings.access
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

export function AccessPage() {
  const { client, access } = useHub()
  const state = useAccess()
  const [link, setLink] = useState<string>()
  const [problem, setProblem] = useState<string>()

  function attempt(action: Promise<void>) {
    setProblem(undefined)
    action.catch((error: unknown) => setProblem(problemOf(error)))
  }

  async function pair() {
    const code = await client.upkeep.createLoginCode()
    setLink(`${location.origin}/#code=${encodeURIComponent(code)}`)
  }

  return (
    <>
      <p>
        {words.you} <b>{state.is === 'signed_in' ? state.name : ''}</b>.
      </p>
      <button type="button" className="button" onClick={() => attempt(access.signOut())}>
        {words.signOut}
      </button>
      <SettingsSection title={words.pair} text={words.pairText}>
        {LOOPBACK.has(location.hostname) && <p className="note">{words.localOnly}</p>}
        {link === undefined ? (
          <button type="button" className="button" onClick={() => attempt(pair())}>
            {words.makeLink}
          </button>
        ) : (
          <div className="command-row">
            <pre className="command" aria-label={words.link}>
              {link}
            </pre>
            <CopyButton text={link} />
          </div>
        )}
      </SettingsSection>
      <p className="problem" role="alert">
        {problem}
      </p>
    </>
  )
}
