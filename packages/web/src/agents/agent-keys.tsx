// The keys of an agent: the hub stores them as secrets, and the page never reads them back.
import { useHub } from '@quayside/client/react'
import type { ExtensionDetail } from '@quayside/protocol'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { problemOf } from '../shared/problem.js'
import { SchemaField } from '../shared/controls/schema-field.js'
import { strings } from '../strings/strings.js'

const words = strings.agents

type AgentKeysProps = {
  readonly agentId: string
  readonly keys: NonNullable<ExtensionDetail['auth']>['env']
  readonly onSaved: () => void
}

export function AgentKeys({ agentId, keys, onSaved }: AgentKeysProps) {
  const client = useHub()
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const [problem, setProblem] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  const written = Object.entries(typed).filter(([, value]) => value.trim() !== '')

  async function save(event: FormEvent) {
    event.preventDefault()
    setSaving(true)
    setProblem(undefined)
    try {
      const trimmed = written.map(([name, value]) => [name, value.trim()])
      await client.agents.changeSettings(agentId, Object.fromEntries(trimmed))
      setTyped({})
      onSaved()
    } catch (error) {
      setProblem(problemOf(error))
    } finally {
      setSaving(false)
    }
  }

  return (
    <form className="form" onSubmit={(event) => void save(event)}>
      <h3 className="form-title">{words.keys}</h3>
      {keys.map(({ name, label, url, isSet }) => (
        <div key={name}>
          <SchemaField
            field={{ id: name, type: 'secret', label, description: name, isSet }}
            value={typed[name]}
            onChange={(value) => setTyped({ ...typed, [name]: String(value ?? '') })}
          />
          {url !== undefined && (
            <a className="form-link" href={url} target="_blank" rel="noopener noreferrer">
              {words.getKey}
            </a>
          )}
        </div>
      ))}
      <p className="muted">{words.keyNote}</p>
      <p className="problem" role="alert">
        {problem}
      </p>
      <div className="dialog-actions">
        <button className="button primary" disabled={isSaving || written.length === 0}>
          {words.saveKeys}
        </button>
      </div>
    </form>
  )
}
