// A tool call is described with its verb once, and its diffs within a limit.
import { PassThrough } from 'node:stream'
import { newToolCall } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { describeDiffs, describeRequest, toolObject } from './describe-tool.js'

test.each([
  ['read', 'Read README.md', 'README.md'],
  ['read', 'Reading README.md', 'README.md'],
  ['execute', 'Run npm test', 'npm test'],
  ['execute', 'running: npm test', 'npm test'],
  ['edit', 'Editable notes', 'Editable notes'],
  ['read', 'Read', 'Read'],
])('the object of a call to %s titled "%s" is "%s"', (kind, title, object) => {
  expect(toolObject({ kind, title })).toBe(object)
})

test('a request names its kind only when the title does not', () => {
  const edit = newToolCall({ toolCallId: '1', kind: 'edit', title: 'Edit x.txt' })
  expect(describeRequest(edit)).toBe('The agent asks for permission: Edit x.txt')
  const notes = newToolCall({ toolCallId: '1', kind: 'edit', title: 'Notes' })
  expect(describeRequest(notes)).toBe('The agent asks for permission (edit): Notes')
})

test('diffs have a limit, and colours only at a terminal', () => {
  const newText = Array.from({ length: 50 }, (_, at) => `line ${at + 1}`).join('\n')
  const call = newToolCall({
    toolCallId: '1',
    content: [{ type: 'diff', path: 'a\u001Bb', newText }],
  })
  const lines = describeDiffs(call, new PassThrough())
  expect(lines[0]).toBe('  @@ a\\u001bb (new file)')
  expect(lines[1]).toBe('  +line 1')
  expect(lines).toHaveLength(41)
  expect(lines.at(-1)).toBe('  … 11 more lines')
})

test('texts that the hub has cut are not compared', () => {
  const newText = 'begin\n[… cut here; all 405779 bytes: /media/1]'
  const call = newToolCall({
    toolCallId: '1',
    content: [{ type: 'diff', path: 'a', oldText: 'begin', newText }],
  })
  expect(describeDiffs(call, new PassThrough()).join()).toContain('too long to be compared')
})
