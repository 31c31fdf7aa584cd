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
import { Link, settingsPath } from '../shared/route.js'
import { strings } from '../strings/strings.js'

type Values = Readonly<Record<string, PlainValue>>

type SettingsFormProps = {
  readonly agentId: string
  readonly values: Values
  /** Receives every value that differs from its default; rejects with the hub's error. */
  readonly onSave: (values: Values) => Promise<void>
  /** Absent for hub-wide settings: only a session has a working directory, and only the hub has secrets. */
  readonly session?: SessionForm
}

type SessionForm = {
  /** The folder in which paths are looked up. Without it, the form hides the working directory. */
  readonly base: string | undefined
  /** Called when the person follows the link to the hub-wide settings. */
  readonly onLeave: () => void
}

export function SettingsForm({ agentId, values, onSave, session }: SettingsFormProps) {
  const client = useHub()
  const read = useCallback(
    (signal: AbortSignal) => client.agents.settingsSchema(agentId, { signal }),
    [client, agentId],
  )
  const { value: schema, problem, reload } = useLoaded(read)
  if (problem !== undefined) return <Trouble problem={problem} onRetry={reload} />
  if (!schema) return <Skeleton />
  const base = session?.base
  const fields = schema.fields.filter(
    ({ id, type }) => (base !== undefined || id !== 'cwd') && (!session || type !== 'secret'),
  )
  const secrets = schema.fields.filter(({ type }) => type === 'secret')
  return (
    <>
      {fields.length === 0 ? (
        <p className="muted">{strings.agents.noSettings}</p>
      ) : (
        <Fields fields={fields} values={values} onSave={onSave} base={base} />
      )}
      {session && secrets.length > 0 && <Secrets secrets={secrets} onLeave={session.onLeave} />}
    </>
  )
}

type SecretsProps = Pick<SessionForm, 'onLeave'> & { readonly secrets: readonly SettingsField[] }

/** A session would keep a secret in its log, so secrets are set for all sessions. */
function Secrets({ secrets, onLeave }: SecretsProps) {
  const words = strings.sessionSettings
  return (
    <p className="muted">
      {words.secrets(secrets.map(({ label }) => label).join(', '))}{' '}
      <Link href={settingsPath('agents')} onClick={onLeave}>
        {words.secretsLink}
      </Link>
    </p>
  )
}

type FieldsProps = Pick<SettingsFormProps, 'values' | 'onSave'> &
  Pick<SessionForm, 'base'> & { readonly fields: readonly SettingsField[] }

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
