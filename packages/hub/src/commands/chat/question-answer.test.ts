// Fields of a question are described, and typed lines become their values or a problem.
import { readQuestionFields } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { describeField, readFieldAnswer } from './question-answer.js'

const FIELDS = readQuestionFields({
  properties: {
    name: { type: 'string', title: 'Name', minLength: 2, maxLength: 5 },
    mail: { type: 'string', format: 'email' },
    page: { type: 'string', format: 'uri' },
    day: { type: 'string', format: 'date' },
    age: { type: 'integer', minimum: 0, maximum: 9, default: 3 },
    size: { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'], default: 'l' },
    tags: { type: 'array', items: { enum: ['a', 'b', 'c'] }, default: ['b', 'c'] },
    tests: { type: 'boolean', default: true },
  },
  required: ['name', 'tags'],
})

function field(id: string) {
  return FIELDS.find((one) => one.id === id)!
}

test.each([
  ['name', 'Ada', 'Ada'],
  ['mail', 'a@b', 'a@b'],
  ['page', 'https://example.com', 'https://example.com'],
  ['day', '2026-01-31', '2026-01-31'],
  ['mail', '', undefined],
  ['age', '', 3],
  ['age', '9', 9],
  ['size', '', 'l'],
  ['size', '1', 's'],
  ['size', 's', 's'],
  ['tags', '', ['b', 'c']],
  ['tags', '3, 1', ['a', 'c']],
  ['tests', '', true],
  ['tests', 'No', false],
])('%s answered with "%s" is %j', (id, typed, value) => {
  expect(readFieldAnswer(field(id), typed)).toEqual({ value })
})

test.each([
  ['name', '', 'is required'],
  ['name', 'x', 'At least 2'],
  ['name', 'Barbara', 'At most 5'],
  ['mail', 'nobody', 'name@example.com'],
  ['page', 'nowhere', 'https://'],
  ['day', '31.1.2026', '2026-01-31'],
  ['age', '1.5', 'whole number'],
  ['age', '-1', 'At least 0'],
  ['age', '10', 'At most 9'],
  ['size', '3', 'from 1 to 2'],
  ['size', '0', 'from 1 to 2'],
  ['tags', '1,4', 'from 1 to 3'],
  ['tags', '0', 'at least one'],
  ['tests', 'maybe', 'yes or no'],
])('%s answered with "%s" is asked again', (id, typed, problem) => {
  expect(readFieldAnswer(field(id), typed)).toEqual({ problem: expect.stringContaining(problem) })
})

test('a field is described with its label, choices and default', () => {
  expect(describeField(field('name'))).toBe('  Name (required)')
  expect(describeField(field('age'))).toBe('  age [3]')
  expect(describeField(field('size'))).toBe('  size [2]\n    1 Small\n    2 Large')
  expect(describeField(field('tags'))).toContain('tags (required) (numbers, 0 for none) [2,3]')
  expect(describeField(field('tests'))).toBe('  tests yes/no [yes]')
})
