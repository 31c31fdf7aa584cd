// A whole number within its limits is read; anything else is refused with the limits.
import { expect, test } from 'vitest'
import { wholeNumber } from './read-whole-number.js'

test('a whole number within the limits is read', () => {
  expect(wholeNumber(1, 100)('100')).toBe(100)
  expect(wholeNumber(1)('5000')).toBe(5000)
})

test.each(['0', '101', '1.5', 'many', ''])('%j is refused with the limits', (value) => {
  expect(() => wholeNumber(1, 100)(value)).toThrow('Use a whole number from 1 to 100.')
})

test('without an upper limit only the lower one is named', () => {
  expect(() => wholeNumber(1)('0')).toThrow('Use a whole number from 1.')
})
