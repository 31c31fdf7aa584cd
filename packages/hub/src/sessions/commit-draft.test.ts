import { expect, test } from 'vitest'
import { draftMessage } from './commit-draft.js'

test('the message of one prompt is the title, with the prompt when that has more', () => {
  expect(draftMessage('Fix the login', ['Fix the login'])).toBe('Fix the login')
  const prompt = 'Fix the login\n\nIt fails with an empty password.'
  expect(draftMessage('Fix the login', [prompt])).toBe(`Fix the login\n\n${prompt}`)
  expect(draftMessage(null, ['Fix the login'])).toBe('Fix the login')
})

test('the message of several prompts lists them', () => {
  const prompts = ['Fix the login\nplease', '  Add a test ', '\n']
  expect(draftMessage('The login', prompts)).toBe('The login\n\n- Fix the login\n- Add a test')
})

test('a message without a title and a prompt has a subject, and a long one ends with a word', () => {
  expect(draftMessage(null, [])).toBe('Changes of a Quayside session')
  const [subject = '', , text] = draftMessage(null, ['word '.repeat(100)]).split('\n')
  expect(subject).toMatch(/ word…$/)
  expect(subject.length).toBeLessThanOrEqual(72)
  expect(text).toBe('word '.repeat(100).trim())
})
