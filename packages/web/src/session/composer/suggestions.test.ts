import { expect, test } from 'vitest'
import { commandsFor, triggerAt } from './use-suggestions.js'

test('an @ after a space and a / at the beginning ask for suggestions', () => {
  expect(triggerAt('look at @src/a', 14)).toEqual({ sign: '@', query: 'src/a', start: 8 })
  expect(triggerAt('@', 1)).toEqual({ sign: '@', query: '', start: 0 })
  expect(triggerAt('/he', 3)).toEqual({ sign: '/', query: 'he', start: 0 })
})

test('mail addresses, paths and finished words do not', () => {
  for (const text of ['me@example', 'a /b', '/help now', '@done '])
    expect(triggerAt(text, text.length), text).toBeUndefined()
})

test('commands that begin with what was written come first', () => {
  const commands = ['review-help', 'help', 'plan'].map((name) => ({ name, description: 'x' }))
  expect(commandsFor(commands, 'help').map(({ value }) => value)).toEqual(['help', 'review-help'])
})
