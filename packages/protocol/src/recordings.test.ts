// Recorded wire traffic of real agents, folded into transcripts.
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readRecording } from '../test/recording.js'
import {
  finalText,
  foldEvents,
  messageOf,
  type ItemOf,
  type ItemType,
  type ToolCall,
  type Transcript,
} from './index.js'

const names = readdirSync(new URL('../recordings/', import.meta.url)).map((file) =>
  file.replace('.jsonl', ''),
)
const foldRecording = (name: string) => foldEvents(readRecording(name))

function ofType<Type extends ItemType>({ items }: Transcript, type: Type): ItemOf<Type>[] {
  return items.filter((item): item is ItemOf<Type> => item.type === type)
}
function tools(transcript: Transcript, turnId = 't1'): readonly ToolCall[] {
  return ofType(transcript, 'tool').flatMap((item) => (item.turnId === turnId ? [item.call] : []))
}
const outcomes = (transcript: Transcript) =>
  ofType(transcript, 'permission').map(({ outcome }) => outcome)
const selected = (optionId: string) => [{ outcome: 'selected', optionId }]

test.each(names)('%s folds into whole items', (name) => {
  const events = readRecording(name)
  const transcript = foldEvents(events)
  const { items } = transcript
  const turns = events.filter(({ type }) => type === 'turn.queued').length

  expect(turns).toBeGreaterThan(0)
  expect(transcript).toMatchObject({ turn: null, queue: [], unknownUpdates: 0 })
  expect(items.filter(({ done }) => !done)).toEqual([])
  expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
  expect(items.filter(({ seq, updatedSeq }) => seq > updatedSeq)).toEqual([])
  expect(JSON.parse(JSON.stringify(items))).toEqual(items)
  expect(items.filter((item) => item.type === 'user' && item.turnId !== undefined)).toHaveLength(
    turns,
  )
  expect(items.filter(({ type }) => type === 'turn_end')).toHaveLength(turns)
  for (const item of items) expect(() => JSON.stringify(messageOf(item))).not.toThrow()
})

test.each([
  ['claude-cancel', 't2', 'Still alive.'],
  ['claude-load', 't2', 'Third answer.'],
  ['claude-shell-fail', 't1', 'It failed with 3.'],
  ['claude-write-reject', 't1', 'You said no, so I stop.'],
  ['codex-shell', 't1', 'There are two files.'],
  ['codex-write-reject', 't1', ''],
  ['gemini-edit-allow', 't1', 'Edited.'],
  ['gemini-load', 't1', 'Second answer.'],
  ['gemini-model-error', 't2', 'Recovered.'],
  ['gemini-think', 't1', 'Hello, this is a **streamed** answer.'],
  ['gemini-write-reject', 't1', 'You said no, so I stop.'],
  ['opencode-edit-allow', 't1', 'Edited.'],
  ['opencode-plan', 't1', 'Planned.'],
  ['opencode-think', 't1', 'Hello, this is a **streamed** answer.'],
])('%s: the final text of %s', (name, turnId, text) => {
  expect(finalText(foldRecording(name).items, turnId)).toBe(text)
})

test('gemini, allowed edit: the call appears with its permission and is completed', () => {
  const transcript = foldRecording('gemini-edit-allow')
  expect(tools(transcript)).toMatchObject([
    { title: 'notes.txt', kind: 'read', status: 'completed' },
    { title: 'notes.txt: Second line. => Second line, edited.', kind: 'edit', status: 'completed' },
  ])
  expect(tools(transcript)[1]?.content[0]).toMatchObject({ type: 'diff' })
  expect(outcomes(transcript)).toEqual(selected('proceed_once'))
  expect(transcript.modes?.currentModeId).toBe('default')
  expect(transcript.commands).toHaveLength(20)
})

test('gemini, rejected write: nothing more is said about the call, so it is rejected', () => {
  const transcript = foldRecording('gemini-write-reject')
  expect(tools(transcript)).toMatchObject([{ title: 'Writing to out.txt', status: 'rejected' }])
  expect(outcomes(transcript)).toEqual(selected('cancel'))
})

test('gemini, failing command: the agent calls it completed', () => {
  expect(tools(foldRecording('gemini-shell-fail'))).toMatchObject([
    {
      title: 'echo out; echo err >&2; exit 3',
      status: 'completed',
      content: [{ type: 'content', content: { text: 'out\nerr' } }],
    },
  ])
})

test('gemini, cancelled command: the turn is cancelled and the call says what it got', () => {
  const transcript = foldRecording('gemini-cancel-shell')
  expect(ofType(transcript, 'turn_end')).toMatchObject([{ stopReason: 'cancelled', empty: false }])
  expect(tools(transcript)).toMatchObject([{ title: 'tail -f notes.txt', status: 'completed' }])
})

test('gemini, to-dos: they are a tool call that asks, not a plan', () => {
  const transcript = foldRecording('gemini-plan')
  expect(tools(transcript)).toMatchObject([{ title: 'Set 3 todo(s)', status: 'completed' }])
  expect(ofType(transcript, 'plan')).toEqual([])
})

test('gemini, a refused model request: the turn ends with its error and the next one works', () => {
  const transcript = foldRecording('gemini-model-error')
  const [failed] = ofType(transcript, 'turn_end')
  expect(failed).toMatchObject({ empty: true, error: { code: 'agent_failed' } })
  expect(messageOf(failed!)).toMatchObject({ role: 'system', content: { type: 'error' } })
})

test.each(['gemini-load', 'claude-load'])(
  '%s: what is replayed stays apart from our turns',
  (name) => {
    const transcript = foldRecording(name)
    expect(tools(transcript, 't1')).toHaveLength(2)
    expect(ofType(transcript, 'user').filter(({ id }) => id.startsWith('replay:'))).not.toEqual([])
    const texts = ofType(transcript, 'text').map(({ turnId, text }) => [turnId, text])
    expect(texts).toEqual([
      ['t1', 'First answer.'],
      ['t1', 'Second answer.'],
      [undefined, 'First answer.'],
      [undefined, 'Second answer.'],
      ['t2', 'Third answer.'],
    ])
  },
)

test('claude, failing command: the call is failed and named', () => {
  expect(tools(foldRecording('claude-shell-fail'))).toMatchObject([
    { name: 'Bash', kind: 'execute', status: 'failed', rawOutput: 'Exit code 3\nout\nerr' },
  ])
})

test('claude, rejected write: the agent itself calls it failed', () => {
  const transcript = foldRecording('claude-write-reject')
  expect(tools(transcript)).toMatchObject([{ name: 'Write', status: 'failed', rejected: true }])
  expect(outcomes(transcript)).toEqual(selected('reject'))
})

test('claude, cancelled answer: what was said before stays', () => {
  const transcript = foldRecording('claude-cancel')
  expect(ofType(transcript, 'turn_end')[0]).toMatchObject({ stopReason: 'cancelled' })
  expect(ofType(transcript, 'text')[0]?.text).toMatch(/^tick 1 of 100\. tick 2 of 100\./)
  expect(transcript.usage).toMatchObject({ size: 1_000_000, cost: { currency: 'USD' } })
})

test('codex, a command: its output comes in _meta, its kind with the permission', () => {
  expect(tools(foldRecording('codex-shell'))).toMatchObject([
    {
      title: 'List files',
      name: 'exec_command',
      kind: 'execute',
      status: 'completed',
      output: 'more.txt\nnotes.txt\n',
    },
  ])
})

test('codex, rejected write: the turn is cancelled, the call was rejected', () => {
  const transcript = foldRecording('codex-write-reject')
  expect(ofType(transcript, 'turn_end')).toMatchObject([{ stopReason: 'cancelled' }])
  expect(tools(transcript)).toMatchObject([{ status: 'rejected' }])
  expect(outcomes(transcript)).toEqual(selected('cancel'))
})

test('codex, cancelled command: the call is closed as cancelled', () => {
  expect(tools(foldRecording('codex-cancel-shell'))).toMatchObject([
    { title: 'tail -f notes.txt', status: 'cancelled' },
  ])
})

test('opencode, allowed edit: growing content is replaced, not piled up', () => {
  const transcript = foldRecording('opencode-edit-allow')
  expect(tools(transcript)).toMatchObject([
    { kind: 'read', status: 'completed' },
    { kind: 'edit', status: 'completed' },
  ])
  expect(tools(transcript)[1]?.content.map(({ type }) => type)).toEqual(['content', 'diff'])
})

test.each(['gemini-two', 'opencode-two'])(
  '%s: one session of two in a process has only its own',
  (name) => {
    const transcript = foldRecording(name)
    expect(tools(transcript)).toMatchObject([{ title: 'pwd; cat notes.txt', status: 'completed' }])
    expect(finalText(transcript.items, 't1')).toMatch(/^tick 1 of 10\. .* Session one ends\.$/)
  },
)
