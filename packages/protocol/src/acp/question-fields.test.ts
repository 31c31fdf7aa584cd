// Form fields from the JSON Schema of an agent's question.
import { expect, test } from 'vitest'
import { fieldAnswer, readQuestionFields } from './question-fields.js'

test('every kind of property that ACP knows is a field', () => {
  const fields = readQuestionFields({
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Name', minLength: 1 },
      mail: { type: 'string', format: 'email' },
      age: { type: 'integer', minimum: 0, default: 3 },
      language: { type: 'string', oneOf: [{ const: 'ts', title: 'TypeScript' }], default: 'ts' },
      size: { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'] },
      tags: { type: 'array', items: { anyOf: [{ const: 'a' }, { const: 'b' }] }, default: ['b'] },
      tests: { type: 'boolean', default: true },
    },
    required: ['name'],
  })
  expect(fields).toMatchObject([
    { id: 'name', type: 'text', label: 'Name', isRequired: true, minLength: 1, initial: '' },
    { id: 'mail', type: 'text', inputType: 'email', isRequired: false },
    { id: 'age', type: 'number', isWhole: true, minimum: 0, initial: '3' },
    {
      id: 'language',
      type: 'choice',
      choices: [{ value: 'ts', label: 'TypeScript' }],
      initial: 'ts',
    },
    { id: 'size', choices: [{ label: 'Small' }, { label: 'Large' }] },
    { id: 'tags', type: 'choices', choices: [{ value: 'a' }, { value: 'b' }], initial: ['b'] },
    { id: 'tests', type: 'boolean', initial: true },
  ])
})

test('an answer has the type that was asked for, and empty fields are left out', () => {
  const [age] = readQuestionFields({ properties: { age: { type: 'number' } } })
  expect(age && fieldAnswer(age, '4.5')).toBe(4.5)
  expect(age && fieldAnswer(age, '')).toBeUndefined()
})

test('what no schema should be is no form, or a text field', () => {
  for (const schema of [undefined, null, 'x', [], { properties: [] }])
    expect(readQuestionFields(schema)).toEqual([])
  expect(readQuestionFields({ properties: { odd: 7 } })).toMatchObject([
    { id: 'odd', type: 'text' },
  ])
})
