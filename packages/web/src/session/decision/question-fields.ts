// The fields of a form that an agent asks to be filled in, read from the JSON Schema of ACP's elicitation.
// What cannot be read becomes a text field, so that every question can be answered.
import { inPlainSight } from '@quayside/protocol'
import type { FieldOption, FieldValue, SchemaFieldShape } from '../../shared/schema-field.js'
import { strings } from '../../strings.js'

export type QuestionField = { readonly field: SchemaFieldShape; readonly initial: FieldValue }

type Fields = { readonly [name: string]: unknown }

export function readFields(schema: unknown): QuestionField[] {
  if (!isFields(schema) || !isFields(schema['properties'])) return []
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  return Object.entries(schema['properties']).map(([id, said]) => {
    const property = isFields(said) ? said : {}
    const field = { ...readField(id, property), required: required.has(id) }
    return { field, initial: initialOf(field, property['default']) }
  })
}

function readField(id: string, property: Fields): SchemaFieldShape {
  const common = {
    id,
    label: inPlainSight(textIn(property, 'title') ?? id),
    description: shownIn(property, 'description'),
  }
  const { type } = property
  if (type === 'boolean') return { ...common, type: 'checkbox' }
  if (type === 'array') {
    const options = isFields(property['items']) ? optionsIn(property['items']) : []
    return { ...common, type: 'choices', options }
  }
  const options = optionsIn(property)
  if (options.length > 0)
    return { ...common, type: 'select', options, placeholder: strings.session.choose }
  if (type === 'number' || type === 'integer') {
    const [min, max] = [numberIn(property, 'minimum'), numberIn(property, 'maximum')]
    return { ...common, type: 'number', isWhole: type === 'integer', min, max }
  }
  return {
    ...common,
    type: 'text',
    format: FORMATS.get(textIn(property, 'format') ?? ''),
    minLength: numberIn(property, 'minLength'),
    maxLength: numberIn(property, 'maxLength'),
  }
}

const FORMATS = new Map([
  ['email', 'email'],
  ['uri', 'url'],
  ['date', 'date'],
  ['date-time', 'datetime-local'],
] as const) as ReadonlyMap<string, 'email' | 'url' | 'date' | 'datetime-local'>

function optionsIn(property: Fields): FieldOption[] {
  const titled = property['oneOf'] ?? property['anyOf']
  if (Array.isArray(titled))
    return titled.flatMap((entry) => {
      const value = isFields(entry) ? entry['const'] : undefined
      if (!isFields(entry) || typeof value !== 'string') return []
      return [{ value, label: inPlainSight(textIn(entry, 'title') ?? value) }]
    })
  const { enum: values, enumNames: names } = property
  if (!Array.isArray(values)) return []
  return values.map((value, place) => {
    const name: unknown = Array.isArray(names) ? names[place] : undefined
    return {
      value: String(value),
      label: inPlainSight(typeof name === 'string' ? name : String(value)),
    }
  })
}

function initialOf({ type }: SchemaFieldShape, given: unknown): FieldValue {
  if (type === 'checkbox') return given === true
  if (type === 'choices') return Array.isArray(given) ? given.map(String) : []
  if (type === 'number') return typeof given === 'number' ? given : undefined
  return typeof given === 'string' || typeof given === 'number' ? String(given) : undefined
}

function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function shownIn(fields: Fields, name: string): string | undefined {
  const text = textIn(fields, name)
  return text === undefined ? undefined : inPlainSight(text)
}

function numberIn(fields: Fields, name: string): number | undefined {
  const value = fields[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
