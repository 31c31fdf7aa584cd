// One form field, described by an extension's settings, an agent's options or an agent's question.
import { useId } from 'react'
import type { ReactNode } from 'react'
import { strings } from '../../strings/strings.js'
import { inOwnScript } from './trouble.js'

/** Lists the hub's folders. */
const PathField = inOwnScript(async () => (await import('./path-field.js')).PathField)

type Common = {
  readonly id: string
  readonly label: string
  readonly description?: string | undefined
  readonly placeholder?: string | undefined
  readonly required?: boolean | undefined
}

export type FieldOption = { readonly value: string; readonly label: string }

export type SchemaFieldShape = Common &
  (
    | {
        readonly type: 'text'
        /** The HTML input type that validates the value. */
        readonly format?: 'text' | 'email' | 'url' | 'date' | 'datetime-local' | undefined
        readonly minLength?: number | undefined
        readonly maxLength?: number | undefined
      }
    | { readonly type: 'path'; readonly browse?: boolean | undefined }
    | { readonly type: 'select'; readonly options: readonly FieldOption[] }
    /** Any number of the options. */
    | { readonly type: 'choices'; readonly options: readonly FieldOption[] }
    | { readonly type: 'checkbox' }
    | {
        readonly type: 'number'
        readonly isWhole?: boolean | undefined
        readonly min?: number | undefined
        readonly max?: number | undefined
      }
    /** With `isSet` there is a stored value, which the hub never returns. */
    | { readonly type: 'secret'; readonly isSet?: boolean | undefined }
  )

/** A single value, for settings and agents' options. */
export type PlainValue = string | number | boolean
export type FieldValue = PlainValue | readonly string[] | undefined

export function isPlain(value: unknown): value is PlainValue {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

export type SchemaFieldProps = {
  readonly field: SchemaFieldShape
  /** `undefined` means that the default applies. */
  readonly value: FieldValue
  readonly onChange: (value: FieldValue) => void
  /** The default value. */
  readonly fallback?: FieldValue
  readonly problem?: string | undefined
  /** Paths are relative to this folder, and browsed in it. */
  readonly base?: string | undefined
}

export function SchemaField(props: SchemaFieldProps) {
  const { field, problem } = props
  const id = useId()
  const notes = notesOf(props)
  const notesId = notes ? `${id}-notes` : undefined
  const below = notes && (
    <div id={notesId} className="form-notes">
      {notes}
    </div>
  )

  if (field.type === 'checkbox')
    return (
      <div className="form-row form-switch">
        <Switch {...props} id={id} aria-describedby={notesId} />
        <Label {...props} controlId={id} />
        {below}
      </div>
    )
  if (field.type === 'choices')
    return (
      <fieldset className="form-row" aria-describedby={notesId}>
        <legend className="form-label">
          <LabelText {...props} />
        </legend>
        <Choices options={field.options} value={props.value} onChange={props.onChange} />
        {below}
      </fieldset>
    )
  return (
    <div className="form-row">
      <Label {...props} controlId={id} />
      <Control {...props} id={id} aria-describedby={notesId} isInvalid={problem !== undefined} />
      {below}
    </div>
  )
}

function Label({ controlId, ...props }: SchemaFieldProps & { readonly controlId: string }) {
  return (
    <label className="form-label" htmlFor={controlId}>
      <LabelText {...props} />
    </label>
  )
}

function LabelText({ field, value, fallback }: SchemaFieldProps) {
  // A choice can be changed but not cleared, so "required" is not mentioned once it is made.
  const isMade = field.type === 'select' && value !== undefined
  return (
    <>
      {field.label}
      {isNeeded(field, fallback) && !isMade && (
        <span className="form-required"> ({strings.field.required})</span>
      )}
    </>
  )
}

function isNeeded(field: SchemaFieldShape, fallback: FieldValue): boolean {
  return field.required === true && fallback === undefined && field.type !== 'checkbox'
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

type Described = { readonly id: string; readonly 'aria-describedby': string | undefined }
type ControlProps = SchemaFieldProps & Described & { readonly isInvalid: boolean }

function Control(props: ControlProps) {
  const { field, value, onChange, fallback, base, isInvalid, id } = props
  const shared = {
    id,
    className: 'field',
    required: isNeeded(field, fallback),
    'aria-describedby': props['aria-describedby'],
    'aria-invalid': isInvalid || undefined,
  }
  const placeholder = fallback === undefined ? field.placeholder : String(fallback)
  const text = value === undefined ? '' : String(value)
  const setText = (typed: string) => onChange(typed === '' ? undefined : typed)

  switch (field.type) {
    case 'select':
      return (
        <select {...shared} value={text} onChange={({ target }) => setText(target.value)}>
          {(!shared.required || text === '') && (
            <option value="">{emptyWords(field, fallback)}</option>
          )}
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
          step={field.isWhole ? 1 : 'any'}
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
          {...inputOf(field, placeholder)}
          dir="auto"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      )
  }
}

function inputOf(field: SchemaFieldShape, placeholder: string | undefined) {
  if (field.type === 'secret')
    return { type: 'password', placeholder: field.isSet ? strings.field.secretSet : placeholder }
  if (field.type !== 'text') return { placeholder }
  const { format: type = 'text', minLength, maxLength } = field
  return { type, minLength, maxLength, placeholder }
}

type SelectField = Extract<SchemaFieldShape, { readonly type: 'select' }>

function emptyWords({ options, placeholder }: SelectField, fallback: FieldValue): string {
  const option = options.find(({ value }) => value === fallback)
  if (option) return `${strings.field.unset} (${option.label})`
  return placeholder ?? strings.field.unset
}

function Switch({ value, onChange, fallback, ...props }: SchemaFieldProps & Described) {
  return (
    <input
      id={props.id}
      type="checkbox"
      className="switch"
      role="switch"
      checked={(value ?? fallback) === true}
      aria-describedby={props['aria-describedby']}
      onChange={({ target }) => onChange(target.checked)}
    />
  )
}

type ChoicesProps = Pick<SchemaFieldProps, 'value' | 'onChange'> & {
  readonly options: readonly FieldOption[]
}

function Choices({ options, value, onChange }: ChoicesProps) {
  const chosen: readonly string[] = Array.isArray(value) ? value : []
  return options.map((option) => {
    const others = chosen.filter((one) => one !== option.value)
    return (
      <label key={option.value} className="form-choice">
        <input
          type="checkbox"
          checked={chosen.includes(option.value)}
          onChange={({ target }) => onChange(target.checked ? [...others, option.value] : others)}
        />
        {option.label}
      </label>
    )
  })
}
