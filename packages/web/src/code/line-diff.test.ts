import { expect, test } from 'vitest'
import { partsOf } from './line-diff.js'

test('the changed words of a line are marked', () => {
  expect(shown('-', '  setup();', '  await setup();')).toBe('  setup();')
  expect(shown('+', '  await setup();', '  setup();')).toBe('  [await ]setup();')
})

test('lines that have nothing in common, or no other line, are not compared word by word', () => {
  expect(shown('-', 'alpha', 'omega')).toBe('alpha')
  expect(shown('+', 'alpha')).toBe('alpha')
})

test('a very long line is not compared', () => {
  expect(shown('+', 'a '.repeat(600), 'b')).not.toContain('[')
})

function shown(sign: '-' | '+', text: string, other?: string): string {
  const line = { is: 'line', sign, number: 1, text, ...(other !== undefined && { other }) } as const
  return partsOf(line)
    .map(({ text, isChanged }) => (isChanged ? `[${text}]` : text))
    .join('')
}
