// Adds a custom agent: the form for its command, and the result of a first probe.
import type { Probe } from '@quayside/client'
import { useHub } from '@quayside/client/react'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { Dialog } from '../shared/controls/dialog.js'
import { useHubObjects } from '../hub/hub-context.js'
import { Icon } from '../shared/controls/icon.js'
import { problemOf } from '../shared/problem.js'
import { SchemaField } from '../shared/controls/schema-field.js'
import { strings } from '../strings/strings.js'
import { extensionOf, idOf, isSecret, type OwnAgent, type Variable } from './own-agent.js'

const words = strings.ownAgent
const EMPTY: OwnAgent = { name: '', command: '', args: '', variables: [] }
const FIELDS = [
  { id: 'name', type: 'text', label: words.name, required: true, maxLength: 100 },
  {
    id: 'command',
    type: 'text',
    label: words.command,
    description: words.commandText,
    placeholder: 'my-agent',
    required: true,
  },
  {
    id: 'args',
    type: 'text',
    label: words.args,
    description: words.argsText,
    placeholder: '--acp',
  },
] as const

export function OwnAgentDialog({ onClose }: { onClose: () => void }) {
  const client = useHub()
  const { lists, probes } = useHubObjects()
  const [agent, setAgent] = useState(EMPTY)
  const [isTesting, setTesting] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [probe, setProbe] = useState<Probe>()
  const change = (changes: Partial<OwnAgent>) => {
    setAgent({ ...agent, ...changes })
    setProbe(undefined)
  }

  async function test(event: FormEvent) {
    event.preventDefault()
    setTesting(true)
    setProblem(undefined)
    setProbe(undefined)
    const id = idOf(agent.name)
    try {
      await client.agents.put(id, extensionOf(agent))
      await lists.refreshAgents()
      setProbe(await probes.checkNow(id))
    } catch (error) {
      setProblem(problemOf(error))
    } finally {
      setTesting(false)
    }
  }

  return (
    <Dialog title={words.title} onClose={onClose}>
      <p className="dialog-text">{words.text}</p>
      <form className="form" onSubmit={(event) => void test(event)}>
        {FIELDS.map((field) => (
          <SchemaField
            key={field.id}
            field={field}
            value={agent[field.id] || undefined}
            onChange={(value) => change({ [field.id]: String(value ?? '') })}
          />
        ))}
        <Variables variables={agent.variables} onChange={(variables) => change({ variables })} />
        <div role="status">{probe && <Found probe={probe} />}</div>
        <p className="problem" role="alert">
          {problem}
        </p>
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {probe ? words.done : strings.common.cancel}
          </button>
          <button className="button primary" disabled={isTesting}>
            {isTesting && <Icon name="spinner" size={14} />}
            {isTesting ? words.testing : probe ? words.testAgain : words.test}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

type VariablesProps = {
  readonly variables: readonly Variable[]
  readonly onChange: (variables: readonly Variable[]) => void
}

function Variables({ variables, onChange }: VariablesProps) {
  const change = (index: number, changes: Partial<Variable>) =>
    onChange(variables.map((one, at) => (at === index ? { ...one, ...changes } : one)))

  return (
    <fieldset className="form-row">
      <legend className="form-label">{words.environment}</legend>
      {variables.map(({ name, value }, index) => (
        <div key={index} className="field-row">
          <input
            className="field mono"
            aria-label={words.variable}
            placeholder={words.variablePlaceholder}
            pattern="[A-Za-z_][A-Za-z0-9_]*"
            autoComplete="off"
            spellCheck={false}
            value={name}
            onChange={({ target }) => change(index, { name: target.value })}
          />
          <input
            className="field mono"
            type={isSecret(name) ? 'password' : 'text'}
            aria-label={words.valueOf(name)}
            placeholder={words.value}
            autoComplete="off"
            spellCheck={false}
            value={value}
            onChange={({ target }) => change(index, { value: target.value })}
          />
          <button
            type="button"
            className="icon-button small"
            aria-label={words.removeVariable(name)}
            onClick={() => onChange(variables.filter((_, at) => at !== index))}
          >
            <Icon name="cross" />
          </button>
        </div>
      ))}
      <button
        type="button"
        className="quiet-button form-add"
        onClick={() => onChange([...variables, { name: '', value: '' }])}
      >
        <Icon name="plus" size={14} />
        {words.addVariable}
      </button>
      <p className="form-notes">{words.secretText}</p>
    </fieldset>
  )
}

/** The agent's own description of itself, from the probe. */
function Found({ probe }: { probe: Probe }) {
  const { state, version, abilities, problem, problems } = probe
  return (
    <div className="note">
      <p>
        <b>{words.states[state]}</b> {version}
      </p>
      {abilities.length > 0 && (
        <p>
          {strings.agents.abilities}: {abilities.join(', ')}
        </p>
      )}
      {problem !== undefined && <pre className="command">{problem}</pre>}
      {problems.length > 0 && <p>{problems.join(' ')}</p>}
    </div>
  )
}
