// Descriptions and folders in the titles of Gemini CLI's commands.
import { expect, test } from 'vitest'
import { withSeeds } from '../../test/random.js'
import { mergeToolCall, newToolCall } from './tool-call.js'
import { readShown, readToolContent, readToolTitle } from './tool-title.js'

test.each([
  [
    'ls -F [cwd] (List files (detailed))',
    { text: 'ls -F [cwd]', description: 'List files (detailed)' },
  ],
  [
    'ls -F [current working directory /src/shop] (List the files)',
    { text: 'ls -F', description: 'List the files', workingDir: '/src/shop' },
  ],
  ['ls [current working directory /a (b)/c]', { text: 'ls', workingDir: '/a (b)/c' }],
  [
    'ls [current working directory /a [b]/c] (x)',
    { text: 'ls', description: 'x', workingDir: '/a [b]/c' },
  ],
  ['ls [current working directory /a[b] (x)', { text: 'ls', description: 'x', workingDir: '/a[b' }],
  ['(first) then (second)', { text: '(first) then', description: 'second' }],
  ['(whole) and (half', { text: 'and (half', description: 'whole' }],
  ['half) and (whole)', { text: 'half) and', description: 'whole' }],
  ['( (inner)', { text: '(', description: 'inner' }],
  ['empty ()', { text: 'empty ()' }],
  ['[current working directory', { text: '[current working directory' }],
  ['Read README.md', { text: 'Read README.md' }],
  ['', { text: '' }],
])('%s', (title, expected) => {
  const { text: _, ...shown } = expected
  expect(readToolTitle(title)).toEqual(expected)
  expect(readShown(title)).toEqual(shown)
})

test('the first content of a call says the same, and output is not taken for it', () => {
  expect(readToolContent('[current working directory /src] (List (all) files)')).toEqual({
    description: 'List (all) files',
    workingDir: '/src',
  })
  expect(readToolContent('[in packages] (Build)')).toEqual({
    description: 'Build',
    workingDir: 'packages',
  })
  expect(readToolContent('total 4 (four)')).toBeUndefined()
  expect(readToolContent('[in progress]\n(not a description)')).toBeUndefined()
})

test('a call keeps its description when its output replaces the line that said it', () => {
  const line = '[current working directory /src] (List the files)'
  const asked = newToolCall({ toolCallId: 'c1', title: 'ls -F', content: [textContent(line)] })
  const done = mergeToolCall(asked, { toolCallId: 'c1', content: [textContent('a (b)')] })

  expect(done).toMatchObject({
    title: 'ls -F',
    description: 'List the files',
    workingDir: '/src',
    content: [textContent('a (b)')],
  })
})

test('a new title is read again', () => {
  const call = newToolCall({ toolCallId: 'c1', title: 'ls (List)' })

  expect(call.description).toBe('List')
  expect(mergeToolCall(call, { toolCallId: 'c1', title: 'rm (Remove)' }).description).toBe('Remove')
  expect(mergeToolCall(call, { toolCallId: 'c1', status: 'completed' }).description).toBe('List')
})

test('any text can be read, and what is found is no longer than it', () => {
  const pieces = [
    '(',
    ')',
    '[',
    ']',
    '[current working directory ',
    '[in ',
    ' ',
    'a',
    '/b',
    '\n',
    '😀',
    '\0',
  ]
  withSeeds(2_000, (random) => {
    const title = Array.from({ length: random.below(40) }, () => random.pick(pieces)).join('')
    const { text, description, workingDir } = { ...readToolTitle(title), ...readToolContent(title) }
    expect(text.length).toBeLessThanOrEqual(title.length)
    expect(description?.length ?? 0).toBeLessThan(title.length + 1)
    if (workingDir !== undefined) expect(title).toContain(workingDir)
  })
})

test('a hostile title costs no more than its length', () => {
  // Quadratic work on a million characters would not end within the test's time.
  for (const piece of ['(', ')', '[', '[current working directory ', '()', '([', ' ']) {
    const title = piece.repeat(Math.ceil(1_000_000 / piece.length))
    expect(readToolTitle(title).text.length).toBeLessThanOrEqual(title.length)
    readToolContent(`[in ${title}`)
  }
})

function textContent(text: string) {
  return { type: 'content', content: { type: 'text', text } } as const
}
