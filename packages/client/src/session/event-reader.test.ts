// Chat events for every event of the log.
import { loadState, saveState, type EventBody, type SessionEvent } from '@quayside/protocol'
import { expect, test } from 'vitest'
import type { ChatEvent } from './chat-events.js'
import { EventReader } from './event-reader.js'

const TURN = 't1'
const ask: EventBody = {
  type: 'permission.requested',
  data: {
    permissionId: 'p1',
    turnId: TURN,
    toolCall: { toolCallId: 'c1', title: 'rm (Remove it)' },
    options: [{ optionId: 'no', name: 'No', kind: 'reject_once' }],
  },
}
const answer: EventBody = {
  type: 'permission.resolved',
  data: {
    permissionId: 'p1',
    outcome: { outcome: 'selected', optionId: 'no' },
    reason: 'answered',
    by: 'ada',
  },
}

test('a turn from its prompt to its end', () => {
  const told = read(prompt(), started(), thought('Hm. '), says('Hel'), says('lo'), ended())

  expect(told.map(({ type, seq }) => `${seq} ${type}`)).toEqual([
    '1 user_message',
    '1 queue',
    '1 status',
    '2 turn_start',
    '2 queue',
    '3 thought_delta',
    '4 text_delta',
    '5 text_delta',
    '6 turn_end',
    '6 status',
  ])
  expect(told.filter(({ type }) => type === 'text_delta')).toMatchObject([
    { messageId: 'text:4', delta: 'Hel', turnId: TURN },
    { messageId: 'text:4', delta: 'lo', turnId: TURN },
  ])
  expect(told.at(-1)).toMatchObject({ status: 'active', activity: 'idle', title: 'Do it' })
})

test('a tool call is told whole, whatever says something about it', () => {
  const told = read(prompt(), started(), ask, answer, ended())
  const calls = told.filter((event) => event.type === 'tool_update')

  expect(calls.map(({ seq, toolCall }) => [seq, toolCall.status])).toEqual([
    [3, 'pending'],
    [4, 'pending'],
    [5, 'rejected'],
  ])
  expect(calls[0]?.toolCall).toMatchObject({ title: 'rm (Remove it)', description: 'Remove it' })
  expect(find(told, 'permission_request')).toMatchObject({ permissionId: 'p1', seq: 3 })
  expect(find(told, 'permission_resolved')).toMatchObject({ by: 'ada', turnId: TURN, seq: 4 })
})

test('what an agent says of itself is state, told whole and only when it changed', () => {
  const options = [
    { id: 'model', name: 'Model', type: 'select', currentValue: 'small', options: [] },
  ]
  const usage = { used: 5, size: 10 }
  const told = read(
    { type: 'agent.started', data: { acpSessionId: 'a', how: 'new', configOptions: options } },
    { type: 'option.set', data: { optionId: 'model', value: 'large' } },
    update({ sessionUpdate: 'available_commands_update', availableCommands: [command('plan')] }),
    update({ sessionUpdate: 'usage_update', ...usage }),
    update({ sessionUpdate: 'current_mode_update', currentModeId: 'code' }),
  )

  expect(told.filter(({ type }) => type === 'config')).toMatchObject([
    { seq: 1, options: [{ currentValue: 'small' }], modes: null },
    { seq: 2, options: [{ currentValue: 'large' }] },
    { seq: 5, modes: { currentModeId: 'code' } },
  ])
  expect(find(told, 'commands')).toMatchObject({ seq: 3, commands: [{ name: 'plan' }] })
  expect(find(told, 'usage')).toMatchObject({ seq: 4, ...usage })
})

test('plans, pictures, questions, notices and failures have their events', () => {
  const image = { type: 'image', mimeType: 'image/png', uri: '/media/1' }
  const told = read(
    update({ sessionUpdate: 'plan', entries: [{ content: 'Look' }] }),
    update({ sessionUpdate: 'agent_message_chunk', content: image }),
    { type: 'question.asked', data: { questionId: 'q1', message: 'Who?', mode: 'form' } },
    { type: 'question.answered', data: { questionId: 'q1', action: 'decline' } },
    { type: 'notice', data: { severity: 'warning', code: 'silent', message: 'Silent.' } },
    { type: 'agent.exited', data: { reason: 'crashed', exitCode: 7 } },
    {
      type: 'session.ended',
      data: { status: 'error', reason: 'agent_exited', details: { exitCode: 7 } },
    },
  )

  expect(told.filter(({ type }) => type !== 'status')).toMatchObject([
    { type: 'plan', entries: [{ content: 'Look' }] },
    { type: 'content', messageId: 'content:2', content: image },
    { type: 'question', questionId: 'q1', message: 'Who?' },
    { type: 'question_resolved', action: 'decline' },
    { type: 'notice', severity: 'warning', message: 'Silent.' },
    { type: 'error', error: { code: 'session_failed', details: { exitCode: 7 } } },
  ])
  expect(told.at(-1)).toMatchObject({ type: 'status', status: 'error', seq: 7 })
})

test('what has no name here is passed on as it came', () => {
  const thing = { sessionUpdate: '_vendor_thing', colour: 'red' }
  const future = { type: 'moon.rose', data: { full: true } } as unknown as EventBody
  const told = read(update(thing), future)

  expect(told.filter(({ type }) => type === 'unknown')).toMatchObject([
    { seq: 1, raw: thing },
    { seq: 2, raw: { type: 'moon.rose', data: { full: true } } },
  ])
})

test('the terminals of an agent are no unknown events', () => {
  const terminal = { terminalId: 't1', command: 'ls', args: [], cwd: '/src' }
  const chatEvents = read(
    { type: 'terminal.opened', data: terminal },
    { type: 'terminal.exited', data: { terminalId: 't1', exitCode: 0, signal: null } },
  )

  expect(find(chatEvents, 'unknown')).toBeUndefined()
})

test('a snapshot that does not continue the last one says that it replaces it', () => {
  const whole = { ...textUpdate('Bye'), _meta: { quayside: { replaces: true } } }
  const told = read(prompt(), started(), says('Hello'), update(whole))

  expect(told.filter(({ type }) => type === 'text_delta')).toMatchObject([
    { messageId: 'text:3', delta: 'Hello' },
    { messageId: 'text:3', delta: 'Bye', replaces: true },
  ])
})

test('reading goes on from a timeline: the open call is still told whole', () => {
  const events = log(prompt(), started(), ask, answer, ended())
  const first = new EventReader()
  const whole = events.flatMap((event) => first.read(event))
  const half = new EventReader()
  for (const event of events.slice(0, 3)) half.read(event)
  const restored = new EventReader(loadState(saveState(half.transcript), half.transcript.items))
  const rest = events.slice(3).flatMap((event) => restored.read(event))

  expect(rest).toEqual(whole.filter(({ seq }) => seq > 3))
})

test('an event that was read before tells nothing', () => {
  const [event] = log(prompt())
  const reader = new EventReader()

  expect(reader.read(event!)).toHaveLength(3)
  expect(reader.read(event!)).toEqual([])
})

function prompt(): EventBody {
  return { type: 'turn.queued', data: { turnId: TURN, prompt: [{ type: 'text', text: 'Do it' }] } }
}

function started(): EventBody {
  return { type: 'turn.started', data: { turnId: TURN } }
}

function ended(): EventBody {
  return { type: 'turn.ended', data: { turnId: TURN, stopReason: 'end_turn' } }
}

function textUpdate(text: string) {
  return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }
}

function says(text: string): EventBody {
  return update(textUpdate(text))
}

function thought(text: string): EventBody {
  return update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } })
}

function update(fields: { sessionUpdate: string; [field: string]: unknown }): EventBody {
  return { type: 'acp.update', data: { turnId: TURN, update: fields } }
}

function command(name: string) {
  return { name, description: '' }
}

function log(...bodies: readonly EventBody[]): SessionEvent[] {
  return bodies.map((body, index) => ({ ...body, sessionId: 's1', seq: index + 1, at: index }))
}

function read(...bodies: readonly EventBody[]): ChatEvent[] {
  const reader = new EventReader()
  return log(...bodies).flatMap((event) => reader.read(event))
}

function find(events: readonly ChatEvent[], type: ChatEvent['type']): ChatEvent | undefined {
  return events.find((event) => event.type === type)
}
