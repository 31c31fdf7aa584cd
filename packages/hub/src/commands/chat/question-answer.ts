// Describes a field of a question, and reads the line that a person typed for it.
import { fieldAnswer, type QuestionField } from '@quayside/protocol'
import { oneLine } from '../io/one-line.js'

/** The value is undefined for a field that was left empty. */
export type FieldAnswer = { readonly value: unknown } | { readonly problem: string }

export function describeField(field: QuestionField): string {
  const { label, help, isRequired, choices } = field
  const lines = [
    `  ${oneLine(label)}${isRequired ? ' (required)' : ''}${hintOf(field)}`,
    ...(help === undefined ? [] : [`    ${oneLine(help)}`]),
    ...choices.map((choice, at) => `    ${at + 1} ${oneLine(choice.label)}`),
  ]
  return lines.join('\n')
}

export function readFieldAnswer(field: QuestionField, text: string): FieldAnswer {
  return text === '' ? byDefault(field) : READERS[field.type](field, text)
}

/** The value that Enter selects, in brackets, and how to answer. */
function hintOf(field: QuestionField): string {
  const { type, initial, choices } = field
  if (type === 'boolean') return initial === true ? ' yes/no [yes]' : ' yes/no [no]'
  const chosen = typeof initial === 'string' ? [initial] : initial === true ? [] : initial || []
  const isChoice = type === 'choice' || type === 'choices'
  const shown = isChoice
    ? choices.flatMap(({ value }, at) => (chosen.includes(value) ? [String(at + 1)] : []))
    : chosen.filter((text) => text !== '').map(oneLine)
  const several = type === 'choices' ? ' (numbers, 0 for none)' : ''
  return shown.length === 0 ? several : `${several} [${shown.join(',')}]`
}

function byDefault(field: QuestionField): FieldAnswer {
  const value = fieldAnswer(field, field.initial)
  const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0)
  return field.isRequired && isEmpty ? { problem: 'This field is required.' } : { value }
}

function readYesOrNo(_: QuestionField, text: string): FieldAnswer {
  if (/^(y|yes|true)$/i.test(text)) return { value: true }
  if (/^(n|no|false)$/i.test(text)) return { value: false }
  return { problem: 'Answer yes or no.' }
}

function readChoice({ choices }: QuestionField, text: string): FieldAnswer {
  const choice = choices[Number(text) - 1] ?? choices.find(({ value }) => value === text)
  return choice ? { value: choice.value } : { problem: numbersTo(choices.length) }
}

function readChoices({ choices, isRequired }: QuestionField, text: string): FieldAnswer {
  if (text === '0') return isRequired ? { problem: 'Choose at least one.' } : { value: [] }
  const chosen = text.split(/[\s,]+/).map((number) => choices[Number(number) - 1])
  if (chosen.some((choice) => choice === undefined)) return { problem: numbersTo(choices.length) }
  return { value: choices.filter((choice) => chosen.includes(choice)).map(({ value }) => value) }
}

function readNumber(field: QuestionField, text: string): FieldAnswer {
  const { isWhole, minimum = -Infinity, maximum = Infinity } = field
  const value = Number(text)
  if (!Number.isFinite(value) || (isWhole && !Number.isInteger(value)))
    return { problem: isWhole ? 'Answer with a whole number.' : 'Answer with a number.' }
  if (value < minimum) return { problem: `At least ${minimum}.` }
  return value > maximum ? { problem: `At most ${maximum}.` } : { value }
}

const FORMATS: Record<QuestionField['inputType'], (text: string) => string | undefined> = {
  text: () => undefined,
  email: (text) => (/^\S+@\S+$/.test(text) ? undefined : 'Such as name@example.com.'),
  url: (text) => (URL.canParse(text) ? undefined : 'Such as https://example.com.'),
  date: (text) => (isDate(text, /^\d{4}-\d\d-\d\d$/) ? undefined : 'Such as 2026-01-31.'),
  'datetime-local': (text) =>
    isDate(text, /^\d{4}-\d\d-\d\dT/) ? undefined : 'Such as 2026-01-31T12:00:00Z.',
}

function readText(field: QuestionField, text: string): FieldAnswer {
  const { inputType, minLength = 0, maxLength = Infinity } = field
  if (text.length < minLength) return { problem: `At least ${minLength} characters.` }
  if (text.length > maxLength) return { problem: `At most ${maxLength} characters.` }
  const problem = FORMATS[inputType](text)
  return problem === undefined ? { value: text } : { problem }
}

const READERS: Record<QuestionField['type'], (field: QuestionField, text: string) => FieldAnswer> =
  {
    boolean: readYesOrNo,
    choice: readChoice,
    choices: readChoices,
    number: readNumber,
    text: readText,
  }

function isDate(text: string, shape: RegExp): boolean {
  return shape.test(text) && !Number.isNaN(Date.parse(text))
}

function numbersTo(count: number): string {
  return `Answer with a number from 1 to ${count}.`
}
