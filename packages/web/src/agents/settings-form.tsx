// The form for the settings of one agent: the fields of its schema, saved together.
import type { SettingsField } from '@quayside/client'
import { useHub } from '@quayside/client/react'
import { useCallback, useState } from 'react'
import type { FormEvent } from 'react'
import { problemOf } from '../shared/problem.js'
import { isPlain, SchemaField } from '../shared/controls/schema-field.js'
import type { FieldValue, PlainValue } from '../shared/controls/schema-field.js'
import { Skeleton, Trouble } from '../shared/controls/trouble.js'
import { useLoaded } from '../shared/use-loaded.js'
import { strings } from '../strings/strings.js'

type Values = Readonly<Record<string, PlainValue>>

type SettingsFormProps = {
  readonly agentId: string
  readonly values: Values
  /** Receives every value that differs from its default; rejects with the hub's error. */
  readonly onSave: (values: Values) => Promise<void>
  /**
   * The folder in which paths are looked up. Without it, the form hides the working directory, which belongs to a
   * session.
   */
  readonly base: string | undefined
}

export function SettingsForm({ agentId, values, onSave, base }: SettingsFormProps) {
  const client = useHub()
  const read = useCallback(
    (signal: AbortSignal) => client.agents.settingsSchema(agentId, { signal }),
    [client, agentId],
  )
  const { value: schema, problem, reload } = useLoaded(read)
  if (problem !== undefined) return <Trouble problem={problem} onRetry={reload} />
  if (!schema) return <Skeleton />
  const fields = schema.fields.filter(({ id }) => base !== undefined || id !== 'cwd')
  if (fields.length === 0) return <p className="muted">{strings.agents.noSettings}</p>
  return <Fields fields={fields} values={values} onSave={onSave} base={base} />
}

type FieldsProps = Omit<SettingsFormProps, 'agentId'> & {
  readonly fields: readonly SettingsField[]
}

function Fields({ fields, values, onSave, base }: FieldsProps) {
  const [typed, setTyped] = useState<Readonly<Record<string, FieldValue>>>(values)
  const [state, setState] = useState<'clean' | 'changed' | 'saving' | 'saved'>('clean')
  const [problem, setProblem] = useState<string>()

  async function save(event: FormEvent) {
    event.preventDefault()
    setState('saving')
    setProblem(undefined)
    try {
      const chosen = Object.entries(typed).filter(([, value]) => isPlain(value))
      await onSave(Object.fromEntries(chosen) as Values)
      setState('saved')
    } catch (error) {
      setProblem(problemOf(error))
      setState('changed')
    }
  }

  return (
    <form className="form" onSubmit={(event) => void save(event)}>
      {fields.map((field) => (
        <SchemaField
          key={field.id}
          field={field}
          base={base}
          value={typed[field.id]}
          fallback={'default' in field ? field.default : undefined}
          onChange={(value) => {
            setTyped({ ...typed, [field.id]: value })
            setState('changed')
          }}
        />
      ))}
      <p className="problem" role="alert">
        {problem}
      </p>
      <div className="dialog-actions">
        <span className="muted" role="status">
          {state === 'saved' && strings.common.saved}
        </span>
        <button className="button primary" disabled={state === 'clean' || state === 'saving'}>
          {state === 'saving' ? strings.common.saving : strings.common.save}
        </button>
      </div>
    </form>
  )
}
