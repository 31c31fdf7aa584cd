import { expect, test } from 'vitest'
import { commandsFor, triggerAt, withChoice, withSign } from './use-suggestions.js'

test('an @ after a space and a / at the beginning ask for suggestions', () => {
  expect(triggerAt('look at @src/a', 14)).toEqual({ sign: '@', query: 'src/a', start: 8 })
  expect(triggerAt('@', 1)).toEqual({ sign: '@', query: '', start: 0 })
  expect(triggerAt('/he', 3)).toEqual({ sign: '/', query: 'he', start: 0 })
})

test('mail addresses, paths and finished words do not', () => {
  for (const text of ['me@example', 'a /b', '/help now', '@done '])
    expect(triggerAt(text, text.length), text).toBeUndefined()
})

test('commands that begin with the typed letters are first', () => {
  const commands = ['review-help', 'help', 'plan'].map((name) => ({ name, description: 'x' }))
  expect(commandsFor(commands, 'help').map(({ value }) => value)).toEqual(['help', 'review-help'])
})

test('a suggestion replaces the typed word, and a button inserts the character', () => {
  const text = 'see @sr and more'
  const trigger = triggerAt(text, 7)
  const chosen = trigger && withChoice(text, trigger, 'src/a.ts')
  expect(chosen).toEqual({ text: 'see @src/a.ts and more', caret: 14 })
  const inLines = triggerAt('@sr\nnext', 3)
  expect(inLines && withChoice('@sr\nnext', inLines, 'src/a.ts').text).toBe('@src/a.ts \nnext')
  expect(withSign('see', '@')).toEqual({ text: 'see @', caret: 5 })
  expect(withSign('now', '/')).toEqual({ text: '/now', caret: 1 })
})
