// One field of a form, whatever describes it: an extension's settings, an agent's options, or a question of an agent.
import { useId } from 'react'
import type { ReactNode } from 'react'
import { strings } from '../strings.js'
import { PathField } from './path-field.js'

type Common = {
  readonly id: string
  readonly label: string
  readonly description?: string | undefined
  readonly placeholder?: string | undefined
  readonly required?: boolean | undefined
}

export type SchemaFieldShape = Common &
  (
    | { readonly type: 'text' }
    | { readonly type: 'path'; readonly browse?: boolean | undefined }
    | {
        readonly type: 'select'
        readonly options: readonly { readonly value: string; readonly label: string }[]
      }
    | { readonly type: 'checkbox' }
    | {
        readonly type: 'number'
        readonly min?: number | undefined
        readonly max?: number | undefined
      }
    /** `isSet`: there is a value, which is never told. */
    | { readonly type: 'secret'; readonly isSet?: boolean | undefined }
  )

export type FieldValue = string | number | boolean | undefined

export type SchemaFieldProps = {
  readonly field: SchemaFieldShape
  /** `undefined`: nothing was chosen, the default counts. */
  readonly value: FieldValue
  readonly onChange: (value: FieldValue) => void
  /** What counts when nothing is chosen. */
  readonly fallback?: FieldValue
  readonly problem?: string | undefined
  /** Paths are told relative to this folder, and looked for in it. */
  readonly base?: string | undefined
}

export function SchemaField(props: SchemaFieldProps) {
  const { field, problem } = props
  const id = useId()
  const notes = notesOf(props)
  const described = { id, 'aria-describedby': notes ? `${id}-notes` : undefined }

  if (field.type === 'checkbox') return <CheckboxField {...props} controlId={id} notes={notes} />
  return (
    <div className="form-row">
      <label className="form-label" htmlFor={id}>
        {field.label}
      </label>
      <Control {...props} {...described} isInvalid={problem !== undefined} />
      {notes && (
        <div id={`${id}-notes`} className="form-notes">
          {notes}
        </div>
      )}
    </div>
  )
}

function notesOf({ field, problem }: SchemaFieldProps): ReactNode {
  const range = field.type === 'number' ? strings.field.range(field.min, field.max) : ''
  const text = [field.description, range].filter(Boolean).join(' · ')
  if (text === '' && problem === undefined) return undefined
  return (
    <>
      {text !== '' && <p>{text}</p>}
      {problem !== undefined && <p className="problem">{problem}</p>}
    </>
  )
}

type ControlProps = SchemaFieldProps & {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly isInvalid: boolean
}

function Control(props: ControlProps) {
  const { field, value, onChange, fallback, base, isInvalid, id } = props
  const shared = {
    id,
    className: 'field',
    required: field.required === true && fallback === undefined,
    'aria-describedby': props['aria-describedby'],
    'aria-invalid': isInvalid || undefined,
  }
  const placeholder = fallback === undefined ? field.placeholder : String(fallback)
  const text = value === undefined ? '' : String(value)
  const setText = (typed: string) => onChange(typed === '' ? undefined : typed)

  switch (field.type) {
    case 'select':
      return (
        <select {...shared} value={text} onChange={(event) => setText(event.target.value)}>
          <option value="">{defaultWords(field.options, fallback)}</option>
          {field.options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )
    case 'number':
      return (
        <input
          {...shared}
          type="number"
          inputMode="decimal"
          min={field.min}
          max={field.max}
          placeholder={placeholder}
          value={text}
          onChange={({ target }) =>
            onChange(target.value === '' ? undefined : target.valueAsNumber)
          }
        />
      )
    case 'path':
      return (
        <PathField
          {...shared}
          base={base}
          canBrowse={field.browse === true}
          placeholder={placeholder}
          value={text}
          onChange={setText}
        />
      )
    default:
      return (
        <input
          {...shared}
          type={field.type === 'secret' ? 'password' : 'text'}
          autoComplete="off"
          spellCheck={false}
          placeholder={
            field.type === 'secret' && field.isSet ? strings.field.secretSet : placeholder
          }
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )
  }
}

function defaultWords(
  options: readonly { readonly value: string; readonly label: string }[],
  fallback: FieldValue,
): string {
  const option = options.find(({ value }) => value === fallback)
  return option ? `${strings.field.unset} (${option.label})` : strings.field.unset
}

type CheckboxProps = SchemaFieldProps & { readonly controlId: string; readonly notes: ReactNode }

function CheckboxField({ field, value, onChange, fallback, controlId, notes }: CheckboxProps) {
  return (
    <div className="form-row switched">
      <input
        id={controlId}
        type="checkbox"
        className="switch"
        role="switch"
        checked={(value ?? fallback) === true}
        aria-describedby={notes ? `${controlId}-notes` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label className="form-label" htmlFor={controlId}>
        {field.label}
      </label>
      {notes && (
        <div id={`${controlId}-notes`} className="form-notes">
          {notes}
        </div>
      )}
    </div>
  )
}
