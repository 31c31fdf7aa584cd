// Tables, short ids and times for people.
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { ago } from './describe-time.js'
import { shortIds } from './find-session.js'
import { formatTable } from './table.js'
import { cutToWidth, widthOf } from './text-width.js'

test('rows fit 80 columns, and the widest column gives way', () => {
  const stream = Object.assign(new PassThrough(), { columns: 80 })
  const row = ['01a1eb', 'working', 'word '.repeat(60), 'shop-api', 'gemini'].map((text) => ({
    text,
  }))
  const lines = formatTable(['ID', 'STATE', 'TITLE', 'REPOSITORY', 'AGENT'], [row], stream).split(
    '\n',
  )
  expect(lines).toHaveLength(2)
  expect(lines[1]).toHaveLength(80)
  expect(lines[1]).toMatch(/^01a1eb  working  word .*…  shop-api    gemini$/)
})

test('a wide character takes two columns, a combining one none', () => {
  expect(widthOf('日本')).toBe(4)
  expect(widthOf('e\u0301')).toBe(1)
  expect(cutToWidth('日本語', 5)).toBe('日本…')
  expect(cutToWidth('日本', 4)).toBe('日本')
})

test('a short id has at least six characters, and more when they are shared', () => {
  expect(shortIds(['0199-a-123456789', '0199-b-987654321'])).toEqual(['456789', '654321'])
  expect(shortIds(['0199-a-123456789', '0199-b-923456789'])).toEqual(['123456789', '923456789'])
})

test.each([
  [59, 'just now'],
  [60, '1 min ago'],
  [2 * 3600 + 1, '2 h ago'],
  [86_400, '1 day ago'],
  [3 * 86_400, '3 days ago'],
])('a time %i seconds ago is "%s"', (seconds, text) => {
  const now = Date.parse('2026-03-01T12:00:00Z')
  expect(ago(now - seconds * 1000, now)).toBe(text)
})

test('a time of more than a month ago is a date', () => {
  expect(ago('2026-01-10T12:00:00Z', Date.parse('2026-03-01T12:00:00Z'))).toBe('2026-01-10')
})
