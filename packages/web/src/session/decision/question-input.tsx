// One field of a question's form.
import { inPlainSight } from '@quayside/protocol'
import { useId } from 'react'
import { strings } from '../../strings.js'
import type { FieldValue, QuestionField } from './question-fields.js'

const words = strings.session

type QuestionInputProps = {
  readonly field: QuestionField
  readonly value: FieldValue
  readonly onChange: (value: FieldValue) => void
}

export function QuestionInput({ field, value, onChange }: QuestionInputProps) {
  const id = useId()
  const { label, help, isRequired, type } = field
  const helpId = help === undefined ? undefined : `${id}-help`
  const name = (
    <>
      {inPlainSight(label)}
      {isRequired && <span className="field-required"> ({words.required})</span>}
    </>
  )
  const note = help !== undefined && (
    <p id={helpId} className="field-help">
      {inPlainSight(help)}
    </p>
  )
  if (type === 'boolean')
    return (
      <div className="form-field">
        <label className="check">
          <input
            type="checkbox"
            checked={value === true}
            aria-describedby={helpId}
            onChange={({ target }) => onChange(target.checked)}
          />
          {name}
        </label>
        {note}
      </div>
    )
  if (type === 'choices')
    return (
      <fieldset className="form-field" aria-describedby={helpId}>
        <legend>{name}</legend>
        {field.choices.map((choice) => (
          <label key={choice.value} className="check">
            <input
              type="checkbox"
              checked={Array.isArray(value) && value.includes(choice.value)}
              onChange={() => onChange(toggled(value, choice.value))}
            />
            {inPlainSight(choice.label)}
          </label>
        ))}
        {note}
      </fieldset>
    )
  return (
    <div className="form-field">
      <label htmlFor={id}>{name}</label>
      <Field id={id} helpId={helpId} field={field} value={String(value)} onChange={onChange} />
      {note}
    </div>
  )
}

type FieldProps = Omit<QuestionInputProps, 'value'> & {
  readonly id: string
  readonly helpId: string | undefined
  readonly value: string
}

function Field({ id, helpId, field, value, onChange }: FieldProps) {
  const shared = {
    id,
    className: 'field',
    value,
    required: field.isRequired,
    'aria-describedby': helpId,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  }
  if (field.type === 'choice')
    return (
      <select {...shared}>
        {(!field.isRequired || value === '') && <option value="">{words.choose}</option>}
        {field.choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {inPlainSight(choice.label)}
          </option>
        ))}
      </select>
    )
  if (field.type === 'number')
    return (
      <input
        {...shared}
        type="number"
        step={field.isWhole ? 1 : 'any'}
        min={field.minimum}
        max={field.maximum}
      />
    )
  return (
    <input
      {...shared}
      type={field.inputType}
      minLength={field.minLength}
      maxLength={field.maxLength}
      dir="auto"
    />
  )
}

function toggled(value: FieldValue, entry: string): readonly string[] {
  const chosen = Array.isArray(value) ? (value as readonly string[]) : []
  return chosen.includes(entry) ? chosen.filter((one) => one !== entry) : [...chosen, entry]
}
