// The fields of an agent's question as form fields, with invisible characters escaped.
import { escapeInvisible, type QuestionField, readQuestionFields } from '@quayside/protocol'
import type { FieldValue, SchemaFieldShape } from '../../shared/controls/schema-field.js'
import { strings } from '../../strings/strings.js'

export type ShownField = { readonly field: SchemaFieldShape; readonly initial: FieldValue }

export function readFields(schema: unknown): ShownField[] {
  return readQuestionFields(schema).map((asked) => ({
    field: shapeOf(asked),
    initial: initialOf(asked),
  }))
}

function shapeOf(asked: QuestionField): SchemaFieldShape {
  const common = {
    id: asked.id,
    label: escapeInvisible(asked.label),
    description: asked.help === undefined ? undefined : escapeInvisible(asked.help),
    required: asked.isRequired,
  }
  const options = asked.choices.map(({ value, label }) => ({
    value,
    label: escapeInvisible(label),
  }))
  switch (asked.type) {
    case 'boolean':
      return { ...common, type: 'checkbox' }
    case 'choices':
      return { ...common, type: 'choices', options }
    case 'choice':
      return { ...common, type: 'select', options, placeholder: strings.session.choose }
    case 'number': {
      const { isWhole, minimum: min, maximum: max } = asked
      return { ...common, type: 'number', isWhole, min, max }
    }
    default: {
      const { inputType: format, minLength, maxLength } = asked
      return { ...common, type: 'text', format, minLength, maxLength }
    }
  }
}

function initialOf(asked: QuestionField): FieldValue {
  const { type, initial } = asked
  if (initial === '') return undefined
  if (type !== 'number') return initial
  return Number.isNaN(Number(initial)) ? undefined : Number(initial)
}
