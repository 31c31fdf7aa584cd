import { expect, test } from 'vitest'
import { readFields } from './question-fields.js'

test('every kind of property that ACP knows is a field', () => {
  const fields = readFields({
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
    { field: { id: 'name', type: 'text', label: 'Name', required: true, minLength: 1 } },
    { field: { id: 'mail', type: 'text', format: 'email', required: false } },
    { field: { id: 'age', type: 'number', isWhole: true, min: 0 }, initial: 3 },
    {
      field: { id: 'language', type: 'select', options: [{ value: 'ts', label: 'TypeScript' }] },
      initial: 'ts',
    },
    { field: { id: 'size', options: [{ label: 'Small' }, { label: 'Large' }] } },
    {
      field: { id: 'tags', type: 'choices', options: [{ value: 'a' }, { value: 'b' }] },
      initial: ['b'],
    },
    { field: { id: 'tests', type: 'checkbox' }, initial: true },
  ])
})

test('a field that was left empty has no value, a switch and a list always have one', () => {
  const properties = {
    name: { type: 'string' },
    age: { type: 'number', default: 'three' },
    tests: { type: 'boolean' },
    tags: { type: 'array' },
  }
  const initial = readFields({ properties }).map((one) => one.initial)
  expect(initial).toEqual([undefined, undefined, false, []])
})

test('an invalid schema is no form, or a text field', () => {
  for (const schema of [undefined, null, 'x', [], { properties: [] }])
    expect(readFields(schema)).toEqual([])
  expect(readFields({ properties: { odd: 7 } })).toMatchObject([
    { field: { id: 'odd', type: 'text' } },
  ])
})

test('invisible characters in a question are escaped', () => {
  const [field] = readFields({ properties: { a: { title: 'safe\u202Eevil' } } })
  expect(field?.field.label).not.toContain('\u202E')
})
