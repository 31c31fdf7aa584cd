// The fields of a form that an agent asks to be filled in, read from the JSON Schema of ACP's elicitation.
// An unreadable field becomes a text field, so that every question can be answered.
import { type Fields, isFields } from './fields.js'

export type Choice = { readonly value: string; readonly label: string }

export type QuestionField = {
  readonly id: string
  readonly type: 'text' | 'number' | 'boolean' | 'choice' | 'choices'
  readonly label: string
  readonly help?: string | undefined
  readonly isRequired: boolean
  readonly choices: readonly Choice[]
  /** For text: the format that a browser validates. */
  readonly inputType: 'text' | 'email' | 'url' | 'date' | 'datetime-local'
  readonly isWhole: boolean
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  readonly minLength?: number | undefined
  readonly maxLength?: number | undefined
  readonly initial: FieldValue
}

export type FieldValue = string | boolean | readonly string[]

export function readQuestionFields(schema: unknown): QuestionField[] {
  if (!isFields(schema) || !isFields(schema['properties'])) return []
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  return Object.entries(schema['properties']).map(([id, property]) =>
    readField(id, isFields(property) ? property : {}, required.has(id)),
  )
}

/** The value to send for a field; undefined when it is empty. */
export function fieldAnswer(field: QuestionField, value: FieldValue): unknown {
  if (typeof value !== 'string') return value
  if (value === '') return undefined
  return field.type === 'number' ? Number(value) : value
}

function readField(id: string, property: Fields, isRequired: boolean): QuestionField {
  const type = typeOf(property)
  return {
    id,
    type,
    label: textIn(property, 'title') ?? id,
    help: textIn(property, 'description'),
    isRequired,
    choices: choicesIn(
      type === 'choices' && isFields(property['items']) ? property['items'] : property,
    ),
    inputType: INPUT_TYPES.get(textIn(property, 'format') ?? '') ?? 'text',
    isWhole: property['type'] === 'integer',
    minimum: numberIn(property, 'minimum'),
    maximum: numberIn(property, 'maximum'),
    minLength: numberIn(property, 'minLength'),
    maxLength: numberIn(property, 'maxLength'),
    initial: initialOf(type, property['default']),
  }
}

const INPUT_TYPES: ReadonlyMap<string, QuestionField['inputType']> = new Map([
  ['email', 'email'],
  ['uri', 'url'],
  ['date', 'date'],
  ['date-time', 'datetime-local'],
])

function typeOf(property: Fields): QuestionField['type'] {
  if (property['type'] === 'boolean') return 'boolean'
  if (property['type'] === 'array') return 'choices'
  if (choicesIn(property).length > 0) return 'choice'
  return property['type'] === 'number' || property['type'] === 'integer' ? 'number' : 'text'
}

function choicesIn(property: Fields): Choice[] {
  const titled = property['oneOf'] ?? property['anyOf']
  if (Array.isArray(titled))
    return titled.flatMap((entry) => {
      const value = isFields(entry) ? entry['const'] : undefined
      if (!isFields(entry) || typeof value !== 'string') return []
      return [{ value, label: textIn(entry, 'title') ?? value }]
    })
  const { enum: values, enumNames: names } = property
  if (!Array.isArray(values)) return []
  return values.map((value, place) => {
    const name: unknown = Array.isArray(names) ? names[place] : undefined
    return { value: String(value), label: typeof name === 'string' ? name : String(value) }
  })
}

function initialOf(type: QuestionField['type'], given: unknown): FieldValue {
  if (type === 'boolean') return given === true
  if (type === 'choices') return Array.isArray(given) ? given.map(String) : []
  return typeof given === 'string' || typeof given === 'number' ? String(given) : ''
}

function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function numberIn(fields: Fields, name: string): number | undefined {
  const value = fields[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
